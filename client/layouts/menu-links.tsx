import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { classes } from '../components/classes.ts'
import { useT } from '../i18n.ts'
import { useScreenLinks } from './use-screen-links.ts'

type MenuLinksProps = { closed?: boolean; onChoose?: () => void }

/** When closed it shows icons only, and an icon's title appears beside it on hover or focus. */
export function MenuLinks({ closed = false, onChoose }: MenuLinksProps) {
  const t = useT()
  const { pathname } = useLocation()
  const { isAway, comeBack } = useAway(closed)
  const menu = useScreenLinks().filter(({ inMenu }) => inMenu)
  // A project's own page comes before the screens below its path.
  const current = menu.findLast(({ to }) => `${pathname}/`.startsWith(`${to}/`))
  return (
    <ul className="grid gap-0.5">
      {menu.map((link) => {
        const { to, title, icon: Icon } = link
        return (
          <li key={to}>
            <Link
              to={to}
              aria-current={link === current ? 'page' : undefined}
              onClick={onChoose}
              onPointerEnter={comeBack}
              onFocus={comeBack}
              className={classes(
                item,
                closed && 'justify-center',
                link === current ? currentItem : otherItem,
              )}
            >
              <Icon aria-hidden strokeWidth={1.75} className="size-4.5 shrink-0" />
              {closed ? (
                <span className={classes(beside, !isAway && besideShown)}>
                  <span className={tooltip}>{t(title)}</span>
                </span>
              ) : (
                t(title)
              )}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** Escape hides a title that covers the screen until another link is hovered or focused. */
function useAway(closed: boolean) {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    if (!closed) return
    const putAway = ({ key }: KeyboardEvent) => key === 'Escape' && setAway(true)
    document.addEventListener('keydown', putAway)
    return () => document.removeEventListener('keydown', putAway)
  }, [closed])
  return { isAway, comeBack: () => setAway(false) }
}

const item =
  'group relative flex h-9 items-center gap-2.5 rounded-control px-3 font-medium transition-colors'
const currentItem = 'bg-surface text-ink shadow-low ring-1 ring-line forced-colors:border'
const otherItem = 'text-soft hover:text-ink'
/** Reaches to the link, so that the pointer can move onto the title. */
const beside = 'pointer-events-none absolute start-full z-10 ps-3 opacity-0 transition-opacity'
const besideShown =
  'group-hover:pointer-events-auto group-hover:opacity-100 group-focus-visible:pointer-events-auto group-focus-visible:opacity-100'
const tooltip =
  'block rounded-control bg-ink px-2.5 py-1 text-small whitespace-nowrap text-page shadow-over forced-colors:border'
