import { Search } from 'lucide-react'
import { classes } from './classes.ts'
import { controlLook } from './fields.tsx'
import type { Search as Searching } from './use-query.ts'

type SearchFieldProps = { label: string; search: Searching; className?: string }

export function SearchField({ label, search: { text, type }, className }: SearchFieldProps) {
  return (
    <search className={classes('relative block print:hidden', className)}>
      <Search className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-faint" />
      <input
        type="search"
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
