import { product } from '#config/product.ts'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { classes } from './classes.ts'

type PageTitleProps = {
  title: string
  intro?: ReactNode
  className?: string
  action?: ReactNode
  children?: ReactNode
}

/** The project's name, for the title of the tab. */
export const TitleOf = createContext('')

/** The heading of a screen. It names the tab, and after a link it has the focus, to be read out. */
export function PageTitle({ title, intro, className, action, children }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  // Decided once: a later change of the address, such as another page, leaves the focus alone.
  const [arrived] = useState(key !== 'default')
  const of = useContext(TitleOf)
  useEffect(() => {
    document.title = [...new Set([title, of, product.name])].filter(Boolean).join(' · ')
  }, [title, of])
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true })
  }, [arrived])
  return (
    <div
      className={classes('flex flex-wrap items-center justify-between gap-x-4 gap-y-3', className)}
    >
      <div className="min-w-0 sm:flex-1 sm:basis-72">
        <h1 ref={heading} tabIndex={-1} className="text-title wrap-anywhere">
          {title}
        </h1>
        {intro && <p className="mt-1.5 text-soft">{intro}</p>}
        {children}
      </div>
      {action}
    </div>
  )
}
