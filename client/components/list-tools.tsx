import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { Select } from './fields.tsx'

/** The search and the choices over a list. A narrow list has the search on a line of its own. */
export function ListTools({ children }: { children: ReactNode }) {
  return (
    <div className="@container border-b border-line print:hidden">
      <div className="flex flex-wrap gap-2 p-inset">{children}</div>
    </div>
  )
}

type ListChoiceProps = {
  label: string
  value: string | undefined
  choose: (value: string) => void
  className?: string
  /** The options. The one without a value is chosen at first. */
  children: ReactNode
}

export function ListChoice({ label, value = '', choose, className, children }: ListChoiceProps) {
  return (
    <div className={classes('min-w-0 flex-1 wide:max-w-44', className)}>
      <Select
        aria-label={label}
        value={value}
        onChange={({ target }) => choose(target.value)}
        className="min-h-9! pe-8! text-ellipsis"
      >
        {children}
      </Select>
    </div>
  )
}
