import type { ReactNode } from 'react'
import { cardLook, classes, tones } from './classes.ts'

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
    <section className={classes(cardLook, flush && 'overflow-hidden', className)}>
      {title && (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-inset py-3">
          <h2 className="flex min-h-9 items-center text-card">{title}</h2>
          {action}
        </header>
      )}
      <div className={flush ? undefined : 'p-inset'}>{children}</div>
    </section>
  )
}

type EmptyStateProps = {
  icon: ReactNode
  title?: string
  action?: ReactNode
  bare?: boolean
  children: ReactNode
}

/** Shown instead of an empty list, with one next step. `bare` is for use inside a card. */
export function EmptyState({ icon, title, action, bare = false, children }: EmptyStateProps) {
  return (
    <div
      className={classes(
        'grid justify-items-center px-6 py-12 text-center wrap-anywhere',
        !bare && cardLook,
      )}
    >
      <div className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent-ink [&_svg]:size-5.5">
        {icon}
      </div>
      {title && <h2 className="mt-4 text-card">{title}</h2>}
      <p className={classes(title ? 'mt-1' : 'mt-4', 'max-w-100 text-balance text-soft')}>
        {children}
      </p>
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}

type BadgeProps = { tone?: keyof typeof tones; dot?: boolean; children: ReactNode }

/** A short label. `dot` marks states that can change. */
export function Badge({ tone = 'neutral', dot = false, children }: BadgeProps) {
  return (
    <span
      className={classes(
        'inline-flex min-h-5.5 shrink-0 items-center gap-1.5 rounded-full px-2 text-label font-strong whitespace-nowrap forced-colors:border',
        tones[tone],
      )}
    >
      {dot && <span className="size-1.5 rounded-full bg-current forced-colors:bg-[CanvasText]" />}
      {children}
    </span>
  )
}

type ChipProps = { tone?: 'neutral' | 'accent'; children: ReactNode }

/** What something is for good, such as a person's role. A `Badge` is a state. */
export function Chip({ tone = 'neutral', children }: ChipProps) {
  return (
    <span
      className={classes(
        'inline-flex min-h-5.5 items-center rounded-control border px-1.75 text-label font-medium whitespace-nowrap',
        tone === 'accent' ? 'border-transparent' : 'border-line',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
