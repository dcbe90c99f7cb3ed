import type { ReactNode } from 'react'
import { cardLook } from './card.tsx'
import { classes } from './classes.ts'

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
