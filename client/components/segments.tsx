import { Link } from 'react-router'
import { classes } from './classes.ts'

type Segment = { to: string; label: string; current: boolean }

/** Links between ways to do the same thing. */
export function Segments({ label, segments }: { label: string; segments: Segment[] }) {
  return (
    <nav
      aria-label={label}
      className="flex gap-1 justify-self-start rounded-control border border-line bg-sunken p-1"
    >
      {segments.map(({ to, label, current }) => (
        <Link
          key={to}
          to={to}
          replace
          aria-current={current ? 'page' : undefined}
          className={classes(
            'rounded-control border px-3.5 py-1 text-center font-strong transition-colors',
            current
              ? 'border-line-strong bg-surface text-ink shadow-low'
              : 'border-transparent text-soft hover:text-ink forced-colors:border-[Canvas]',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
