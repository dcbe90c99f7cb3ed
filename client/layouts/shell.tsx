import { paths, projectPath, type ProjectPathName } from '#contract/paths.ts'
import type { Screen } from '#contract/rows.ts'
import { screens, type ScreenName } from '#contract/screens.ts'
import { WifiOff, ChevronRight } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { Outlet, useLocation, useParams, useSearchParams } from 'react-router'
import { useOnline } from '../api/queries.ts'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { AboveTitle } from '../components/page-title.tsx'
import { LanguageSelector } from '../components/theme-and-language.tsx'
import { sentences } from '../platform/format.ts'
import { useT } from '../platform/i18n.ts'
import '../platform/rows.ts'
import { Frame, PageSkeleton } from './frame.tsx'
import { MenuSheet, OfProject, SideMenu, type MenuItem } from './menu.tsx'
import { PaletteButton } from './palette/palette.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { TopBarOfModules } from './top-bar.tsx'
import { useOpenProject } from './use-project.ts'
import { TextLink } from '../components/button.tsx'
import { withChoice } from '../components/price-choice.ts'
import { screenAt } from '../components/screen-at.ts'
import { useReturnLink } from '../components/use-go-on.ts'

type ShellProps = {
  /** Links in the menu below those to screens. */
  extraItems?: MenuItem[]
  languageSwitcher?: boolean
  banner?: ReactNode
  isLoading?: boolean
  children?: ReactNode
}

/**
 * The frame around the screen. `children` replace the screen that the URL names. While `isLoading`,
 * grey bars stand in place of the project and its screen.
 */
export function Shell(props: ShellProps) {
  const { extraItems = [], languageSwitcher = true, banner, isLoading = false } = props
  const { children = <Outlet /> } = props
  const t = useT()
  const { pathname } = useLocation()
  const isOnline = useOnline()
  const open = useOpenProject()
  const project = isLoading ? 'loading' : open
  return (
    <Frame
      isOnline={isOnline}
      start={<MenuSheet project={project} extraItems={extraItems} />}
      end={
        <>
          <PaletteButton />
          <TopBarOfModules />
          {languageSwitcher && <LanguageSelector />}
          <ProfileMenu />
        </>
      }
      sidebar={{
        open: <SideMenu project={project} extraItems={extraItems} />,
        closed: <SideMenu project={project} extraItems={extraItems} closed />,
      }}
      project={
        project && (
          <nav aria-label={t('frame.switch')} className="flex min-w-0">
            <OfProject project={project} shape="bar" />
          </nav>
        )
      }
      below={<OfflineBar isOnline={isOnline} />}
    >
      <AboveTitle value={<Breadcrumbs />}>
        {banner}
        <Shortcuts />
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<PageSkeleton />}>{isLoading ? <PageSkeleton /> : children}</Suspense>
        </ErrorBoundary>
      </AboveTitle>
    </Frame>
  )
}

function OfflineBar({ isOnline }: { isOnline: boolean }) {
  const t = useT()
  return (
    <output className="sticky bottom-4 z-10 mt-auto block print:hidden">
      {!isOnline && (
        <span className="mt-5 flex min-h-10 items-center gap-3 rounded-notice border border-line bg-warn-soft px-4 py-2 text-small text-warn shadow-over">
          <WifiOff className="size-4 shrink-0" />
          <span>{sentences(t, t('offline.title'), t('offline.text'))}</span>
        </span>
      )}
    </output>
  )
}

/** Links to the screens above this one, from the table of screens. The title below is the last. */
function Breadcrumbs() {
  const t = useT()
  const { pathname } = useLocation()
  const { id } = useParams()
  const [query] = useSearchParams()
  const here = screenAt(pathname)
  const above = []
  if (here?.parent) {
    const { title }: Screen = screens[here.parent]
    above.push({ to: pathTo(here.parent, id), title: title! })
  }
  if (here?.firstStep && query.has('plan'))
    above.push({ to: withChoice(pathname, query), title: here.firstStep })
  if (above.length === 0) return null
  return (
    <nav aria-label={t('frame.breadcrumbs')} className="mb-1.5 print:hidden">
      <ol className="flex flex-wrap gap-x-1 text-small">
        {above.map(({ to, title }, place) => (
          <li key={to} className="flex items-center gap-1">
            {place > 0 && (
              <ChevronRight aria-hidden className="size-3.5 text-faint rtl:-scale-x-100" />
            )}
            <Crumb to={to}>{t(title)}</Crumb>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Crumb({ to, children }: { to: string; children: string }) {
  return (
    <TextLink
      {...useReturnLink(to)}
      className="touch-target relative py-1 text-soft! hover:text-ink!"
    >
      {children}
    </TextLink>
  )
}

function pathTo(name: ScreenName, id: string | undefined) {
  return id === undefined ? paths[name] : projectPath(name as ProjectPathName, id)
}
