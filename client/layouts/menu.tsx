import type { Subscription } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { Menu, X, type LucideIcon } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '../components/button.tsx'
import { classes } from '../components/classes.ts'
import { useKeydown } from '../components/use-keydown.ts'
import { useCloseOnReturn } from '../components/dialog.tsx'
import { useT } from '../platform/i18n.ts'
import { HomeLink, MenuBones } from './frame.tsx'
import { ProjectSwitcher, SwitcherBones } from './project-switcher.tsx'
import { useScreenLinks } from './use-screen-links.ts'

type OfProject = { project: Subscription | 'loading' | undefined }
export type MenuItem = { to: string; title: MessageKey; icon: LucideIcon }
type MenuProps = OfProject & { extraItems: MenuItem[] }

/** The project and the menu, in the sidebar of wide screens. */
export function SideMenu({
  project,
  extraItems,
  closed = false,
}: MenuProps & { closed?: boolean }) {
  const t = useT()
  return (
    <nav aria-label={t('layout.menu')} className="grid gap-3">
      <OfProject project={project} shape={closed ? 'tile' : 'block'} />
      <div>
        <MenuLinks extraItems={extraItems} closed={closed} />
        {project === 'loading' && <MenuBones count={5} />}
      </div>
    </nav>
  )
}

type OfProjectProps = OfProject & {
  shape: ComponentProps<typeof ProjectSwitcher>['shape']
  onChoose?: () => void
}

/** The switcher of the open project. Draws nothing on screens outside a project. */
export function OfProject({ project, ...rest }: OfProjectProps) {
  if (project === 'loading') return <SwitcherBones {...rest} />
  return project && <ProjectSwitcher project={project} {...rest} />
}

/** The menu on narrow screens: it slides in over the screen. */
export function MenuSheet({ project, extraItems }: MenuProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useCallback(() => dialog.current?.close(), [])
  useCloseOnReturn(dialog)
  // In a wide window the sheet is hidden, but an open one would still block the page.
  useEffect(() => {
    const wide = matchMedia('(width >= 64rem)')
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [close])
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
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        onClose={() => setOpen(false)}
        className="h-dvh max-h-none w-72 max-w-[85vw] border-e border-line bg-sunken text-ink shadow-over backdrop:bg-veil open:animate-slide-in"
      >
        <div className="flex h-14 items-center justify-between ps-5 pe-3">
          <HomeLink onClick={close} />
          <Button
            variant="quiet"
            size="icon"
            aria-label={t('layout.closeMenu')}
            onClick={close}
            icon={<X className="size-5!" />}
          />
        </div>
        <div className="grid gap-3 p-3">
          {isOpen && <OfProject project={project} shape="block" onChoose={close} />}
          <nav aria-label={t('layout.menu')}>
            <MenuLinks extraItems={extraItems} onChoose={close} />
            {project === 'loading' && <MenuBones count={5} />}
          </nav>
        </div>
      </dialog>
    </div>
  )
}

type MenuLinksProps = { extraItems: MenuItem[]; closed?: boolean; onChoose?: () => void }

/** If `closed`, the menu shows icons only, each with its title beside it on hover or focus. */
function MenuLinks({ extraItems, closed = false, onChoose }: MenuLinksProps) {
  const t = useT()
  const { pathname } = useLocation()
  // Escape hides the title, which covers the screen, until the user hovers or focuses another link.
  const [isAway, setAway] = useState(false)
  useKeydown(({ key }) => key === 'Escape' && setAway(true))
  const comeBack = () => setAway(false)
  const screens = useScreenLinks().filter(({ inMenu }) => inMenu)
  const menu: MenuItem[] = [...screens, ...extraItems]
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
  'group relative flex h-9 max-lg:h-11 items-center gap-2.5 rounded-control px-3 font-medium transition-colors'
const currentItem = 'bg-surface text-ink shadow-low ring-1 ring-line forced-colors:border'
const otherItem = 'text-soft hover:text-ink'
/** The box of the title touches the link, so that the pointer can move onto the title. */
const beside = 'pointer-events-none absolute start-full z-10 ps-3 opacity-0 transition-opacity'
const besideShown =
  'group-hover:pointer-events-auto group-hover:opacity-100 group-focus-visible:pointer-events-auto group-focus-visible:opacity-100'
const tooltip =
  'block rounded-control bg-ink px-2.5 py-1 text-small whitespace-nowrap text-page shadow-over forced-colors:border'
