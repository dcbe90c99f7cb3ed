import { WifiOff } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useOnline } from '../api/queries.ts'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { AboveTitle } from '../components/page-title.tsx'
import { LanguageSelector } from '../components/theme-and-language.tsx'
import { useT } from '../platform/i18n.ts'
import '../platform/rows.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Frame, PageSkeleton } from './frame.tsx'
import { MenuSheet, OfProject, SideMenu, type MenuItem } from './menu.tsx'
import { PaletteButton } from './palette/palette.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { TopBarOfModules } from './top-bar.tsx'
import { useOpenProject } from './use-project.ts'

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
export function Shell({
  extraItems = [],
  languageSwitcher = true,
  banner,
  isLoading = false,
  children = <Outlet />,
}: ShellProps) {
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
      project={project && <OfProject project={project} shape="bar" />}
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
    <output className="sticky top-14 z-10 block">
      {!isOnline && (
        <span className="flex min-h-10 items-center gap-3 border-b border-line bg-warn-soft px-4 py-2 text-small text-warn sm:px-5">
          <WifiOff className="size-4 shrink-0" />
          <span>
            {t('common.sentences', { first: t('offline.title'), second: t('offline.text') })}
          </span>
        </span>
      )}
    </output>
  )
}
