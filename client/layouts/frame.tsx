import { paths } from '#contract/paths.ts'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link, useMatch } from 'react-router'
import { cardLook, classes } from '../components/classes.ts'
import { Logo } from '../components/logo.tsx'
import { Bone, Skeleton } from '../components/skeleton.tsx'
import { SkipLink } from '../components/skip-link.tsx'
import { LanguageSelector } from '../components/theme-and-language.tsx'
import { useT } from '../platform/i18n.ts'
import { remember, remembered } from '../platform/storage.ts'
import { SwitcherBones } from './project-switcher.tsx'
import { TopBarOfModules } from './top-bar.tsx'

type FrameProps = {
  isOnline?: boolean
  /** The start of the top bar on narrow screens, where the sidebar is missing. */
  start: ReactNode
  end: ReactNode
  /** What is in the sidebar, and what when it is reduced to its icons. */
  sidebar: { open: ReactNode; closed: ReactNode }
  /** The open project, on a phone in a row of its own that scrolls away. The sidebar has its own. */
  project?: ReactNode
  below?: ReactNode
  children: ReactNode
}

/** The top bar, the sidebar and the place of the screen. It needs neither user nor project. */
export function Frame(props: FrameProps) {
  const { isOnline = true, start, end, sidebar, project, below, children } = props
  return (
    <div className={classes('flex min-h-dvh flex-col', !isOnline && '[--offline-bar:4rem]')}>
      <SkipLink />
      <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-surface px-3 pointer-coarse:gap-2 sm:px-5 print:hidden">
        <div className="flex min-w-0 flex-1 items-center gap-1 pointer-coarse:gap-2">
          {start}
          <HomeLink />
          {project && <div className="ms-2 min-w-0 max-[48rem]:hidden lg:hidden">{project}</div>}
        </div>
        {end}
      </header>
      {project && (
        <div className="flex border-b border-line bg-surface px-3 py-1 sm:px-5 min-[48rem]:hidden print:hidden">
          {project}
        </div>
      )}
      <div className="flex flex-1">
        <Sidebar {...sidebar} />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-page flex-col min-w-0 min-[100rem]:max-w-wide px-4 py-5 outline-none sm:px-6 lg:px-10 lg:py-8 print:p-0"
        >
          <div className="grid gap-5">{children}</div>
          {below}
        </main>
      </div>
    </div>
  )
}

export function HomeLink({ onClick }: { onClick?: () => void }) {
  return (
    <Link
      to={paths.dashboard}
      onClick={onClick}
      className="touch-target relative min-w-0 rounded-control"
    >
      <Logo />
    </Link>
  )
}

/** The frame before the session is known: grey bars where the user's and project's parts come. */
export function FrameSkeleton() {
  const isInProject = useMatch(`${paths.subscription}/*`) !== null
  return (
    <Frame
      start={<Bone className="m-2 size-5 shrink-0 animate-late lg:hidden" />}
      end={
        <>
          <Bone className="size-9 shrink-0 animate-late sm:w-41.5" />
          <TopBarOfModules isEmpty />
          <LanguageSelector />
          <Bone className="ms-1 size-8 shrink-0 animate-late rounded-full!" />
        </>
      }
      sidebar={{
        open: <SideBones shape="block" isInProject={isInProject} />,
        closed: <SideBones shape="tile" isInProject={isInProject} />,
      }}
      project={isInProject && <SwitcherBones shape="bar" />}
    >
      <PageSkeleton />
    </Frame>
  )
}

function SideBones({ shape, isInProject }: { shape: 'block' | 'tile'; isInProject: boolean }) {
  return (
    <div className="grid gap-3">
      {isInProject && <SwitcherBones shape={shape} />}
      <MenuBones count={isInProject ? 6 : 1} />
    </div>
  )
}

/** Grey bars in place of links in the menu. */
export function MenuBones({ count }: { count: number }) {
  return (
    <div aria-hidden className="grid animate-late gap-0.5">
      {Array.from({ length: count }, (_, place) => (
        <span key={place} className="flex h-9 items-center px-3">
          <Bone className="h-4 w-28 max-w-full" />
        </span>
      ))}
    </div>
  )
}

/** Grey bars in place of a screen that is loading: its title and two cards. */
export function PageSkeleton() {
  return (
    <Skeleton className="grid gap-5" bones={['h-7 w-56 max-w-full']}>
      {['w-2/5', 'w-1/4'].map((width) => (
        <span key={width} className={classes(cardLook, 'grid gap-3 p-inset')}>
          <Bone className={classes('mb-1 h-5', width)} />
          <Bone className="h-3.5 w-4/5" />
          <Bone className="h-3.5 w-3/5" />
        </span>
      ))}
    </Skeleton>
  )
}

const storageKey = 'sidebar'

/** The menu on wide screens: open, or reduced to its icons. The browser remembers the choice. */
function Sidebar({ open, closed: reduced }: FrameProps['sidebar']) {
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
      <div className="sticky top-14 flex h-[calc(100dvh-3.5rem)] flex-col justify-between px-3 py-4">
        {closed ? reduced : open}
        <button
          type="button"
          onClick={toggle}
          aria-label={label}
          aria-expanded={!closed}
          title={closed ? label : undefined}
          className={classes(
            'touch-target relative flex h-9 items-center gap-2.5 rounded-control px-3 text-small text-faint transition-colors hover:text-ink',
            closed && 'justify-center',
          )}
        >
          <Icon strokeWidth={1.75} className="size-4.5 rtl:-scale-x-100" />
          {!closed && label}
        </button>
      </div>
    </div>
  )
}
