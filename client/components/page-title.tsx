import { product } from '#config/product.ts'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'

type PageTitleProps = {
  title: string
  intro?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

/** The project's name, which is part of the tab's title. */
export const TitleOf = createContext('')

/** What stands above the title: the breadcrumbs. */
export const AboveTitle = createContext<ReactNode>(null)

/** The heading, which begins the tab's title and takes the focus when the user opens the screen. */
export function PageTitle({ title, intro, action, children }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  // Only opening the screen moves the focus, not a change of the URL such as a list's next page.
  const [arrived] = useState(key !== 'default')
  const of = useContext(TitleOf)
  const above = useContext(AboveTitle)
  useEffect(() => {
    const name = title.includes(product.name) ? '' : product.name
    document.title = [...new Set([title, of, name])].filter(Boolean).join(' · ')
  }, [title, of])
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true })
  }, [arrived])
  return (
    <div>
      {above}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 grow sm:basis-72">
          <h1 ref={heading} tabIndex={-1} className="text-title wrap-anywhere">
            {title}
          </h1>
          {intro && <p className="mt-1.5 text-soft">{intro}</p>}
          {children}
        </div>
        {/* A button beside the title is higher than it, and must not move it. */}
        {action && <div className="sm:-my-1.5">{action}</div>}
      </div>
    </div>
  )
}
