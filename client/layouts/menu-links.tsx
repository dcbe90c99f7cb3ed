import { Link, useLocation } from 'react-router'
import { classes } from '../components/classes.ts'
import { useT } from '../i18n.ts'
import type { MenuItem } from './shell.tsx'

type MenuLinksProps = { menu: MenuItem[]; closed?: boolean; onChoose?: () => void }

/** Closed, the icons are left, and the words appear beside them under the pointer or the focus. */
export function MenuLinks({ menu, closed = false, onChoose }: MenuLinksProps) {
  const t = useT()
  const { pathname } = useLocation()
  return (
    <ul className="grid gap-0.5">
      {menu.map(({ to, label, icon: Icon, current = pathname === to || pathname.startsWith(`${to}/`) }) => (
        <li key={to}>
          <Link
            to={to}
            aria-current={current ? 'page' : undefined}
            onClick={onChoose}
            className={classes(item, closed && 'justify-center', current ? currentItem : otherItem)}
          >
            <Icon aria-hidden strokeWidth={1.75} className="size-4.5 shrink-0" />
            <span className={closed ? tooltip : undefined}>{t(label)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const item = 'group relative flex h-9 items-center gap-2.5 rounded-control px-3 font-medium transition-colors'
const currentItem = 'bg-surface text-ink shadow-low ring-1 ring-line'
const otherItem = 'text-soft hover:text-ink'
const tooltip =
  'pointer-events-none absolute start-full z-10 ms-3 rounded-control bg-ink px-2.5 py-1 text-small whitespace-nowrap text-page opacity-0 shadow-over transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100'
