import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export const cardLook = 'rounded-card border border-line bg-surface shadow-low'

type CardProps = {
  title?: string
  action?: ReactNode
  flush?: boolean
  className?: string
  children: ReactNode
}

/** `flush` removes the padding, for a table or a list of rows. */
export function Card({ title, action, flush = false, className, children }: CardProps) {
  return (
    <section className={classes(cardLook, className)}>
      {title && (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3 sm:px-5">
          <h2 className="flex min-h-9 items-center text-card">{title}</h2>
          {action}
        </header>
      )}
      <div className={flush ? undefined : 'p-4 sm:p-5'}>{children}</div>
    </section>
  )
}
