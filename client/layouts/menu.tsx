import { Menu, PanelLeftClose, PanelLeftOpen, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '../components/button.tsx'
import { classes } from '../components/classes.ts'
import { Logo } from '../components/logo.tsx'
import { useKeydown } from '../components/use-keydown.ts'
import { useCloseOnReturn } from '../components/dialog.tsx'
import { useT } from '../platform/i18n.ts'
import { remember, remembered } from '../platform/storage.ts'
import { useScreenLinks } from './use-screen-links.ts'

const storageKey = 'sidebar'

/** The menu on wide screens: open, or reduced to its icons. The browser remembers the choice. */
export function Sidebar() {
  const t = useT()
  const [closed, setClosed] = useState(() => remembered(storageKey) === 'closed')

  function toggle() {
    remember(storageKey, closed ? 'open' : 'closed')
    setClosed(!closed)
  }

  const Icon = closed ? PanelLeftOpen : PanelLeftClose
  const label = t(closed ? 'layout.openSidebar' : 'layout.closeSidebar')
  return (
    <div
      className={classes(
        'shrink-0 border-e border-line bg-sunken max-lg:hidden print:hidden',
        closed ? 'w-20' : 'w-64',
      )}
    >
      <nav
        aria-label={t('layout.menu')}
        className="sticky top-[calc(3.5rem+var(--offline-bar,0rem))] flex h-[calc(100dvh-3.5rem-var(--offline-bar,0rem))] flex-col justify-between px-3 py-4"
      >
        <MenuLinks closed={closed} />
        <button
          type="button"
          onClick={toggle}
          aria-label={label}
          aria-expanded={!closed}
          title={closed ? label : undefined}
          className={classes(
            'flex h-9 items-center gap-2.5 rounded-control px-3 text-small text-faint transition-colors hover:text-ink',
            closed && 'justify-center',
          )}
        >
          <Icon strokeWidth={1.75} className="size-4.5 rtl:-scale-x-100" />
          {!closed && label}
        </button>
      </nav>
    </div>
  )
}

/** The menu on narrow screens: it slides in over the screen. */
export function MenuSheet() {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  useCloseOnReturn(dialog)
  return (
    <div className="lg:hidden">
      <Button
        variant="quiet"
        size="icon"
        aria-haspopup="dialog"
        aria-label={t('layout.openMenu')}
        onClick={() => dialog.current?.showModal()}
        icon={<Menu className="size-5!" />}
      />
      <dialog
        ref={dialog}
        aria-label={t('layout.menu')}
        closedby="any"
        className="h-dvh max-h-none w-72 max-w-[85vw] border-e border-line bg-sunken text-ink shadow-over backdrop:bg-veil open:animate-slide-in"
      >
        <div className="flex h-14 items-center justify-between ps-5 pe-3">
          <Logo />
          <Button
            variant="quiet"
            size="icon"
            aria-label={t('layout.closeMenu')}
            onClick={close}
            icon={<X className="size-5!" />}
          />
        </div>
        <nav aria-label={t('layout.menu')} className="p-3">
          <MenuLinks onChoose={close} />
        </nav>
      </dialog>
    </div>
  )
}

type MenuLinksProps = { closed?: boolean; onChoose?: () => void }

/** If `closed`, the menu shows icons only, each with its title beside it on hover or focus. */
function MenuLinks({ closed = false, onChoose }: MenuLinksProps) {
  const t = useT()
  const { pathname } = useLocation()
  // Escape hides the title, which covers the screen, until the user hovers or focuses another link.
  const [isAway, setAway] = useState(false)
  useKeydown(({ key }) => key === 'Escape' && setAway(true))
  const comeBack = () => setAway(false)
  const menu = useScreenLinks().filter(({ inMenu }) => inMenu)
  // The path of a project's own page begins the paths of its other screens, so the last match wins.
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
              <Icon strokeWidth={1.75} className="size-4.5 shrink-0" />
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

const item =
  'group relative flex h-9 items-center gap-2.5 rounded-control px-3 font-medium transition-colors'
const currentItem = 'bg-surface text-ink shadow-low ring-1 ring-line forced-colors:border'
const otherItem = 'text-soft hover:text-ink'
/** The box of the title touches the link, so that the pointer can move onto the title. */
const beside = 'pointer-events-none absolute start-full z-10 ps-3 opacity-0 transition-opacity'
const besideShown =
  'group-hover:pointer-events-auto group-hover:opacity-100 group-focus-visible:pointer-events-auto group-focus-visible:opacity-100'
const tooltip =
  'block rounded-control bg-ink px-2.5 py-1 text-small whitespace-nowrap text-page shadow-over forced-colors:border'
