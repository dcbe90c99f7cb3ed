import type { ReactNode } from 'react'
import { Search } from 'lucide-react'
import { classes } from './classes.ts'
import { Select, controlLook } from './fields.tsx'
import type { Search as Searching } from './use-query.ts'

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
    <div className={classes('min-w-0 flex-auto wide:max-w-56', className)}>
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

type SearchFieldProps = { label: string; search: Searching; className?: string }

export function SearchField({ label, search: { text, type }, className }: SearchFieldProps) {
  return (
    <search className={classes('relative block print:hidden', className)}>
      <Search className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-faint" />
      <input
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => type(target.value)}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className={classes(controlLook, 'min-h-9! ps-8.5 pe-2 text-ellipsis')}
      />
    </search>
  )
}
