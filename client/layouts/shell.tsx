import { paths } from '#contract/paths.ts'
import { Suspense, type ReactNode } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { useOnline } from '../api/use-online.ts'
import { classes } from '../components/classes.ts'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { LanguageSelector } from '../components/language-selector.tsx'
import { Logo } from '../components/logo.tsx'
import { Spinner } from '../components/spinner.tsx'
import { ThemeToggle } from '../components/theme-toggle.tsx'
import { useT } from '../i18n.ts'
import { MenuSheet } from './menu-sheet.tsx'
import { PaletteButton } from './palette-button.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import { Sidebar } from './sidebar.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { useScrollToTop } from './use-scroll-to-top.ts'

type ShellProps = { banner?: ReactNode; children?: ReactNode }

/** Top bar, sidebar and screen. With `children`, those replace the screen of the address. */
export function Shell({ banner, children = <Outlet /> }: ShellProps) {
  const t = useT()
  const { pathname } = useLocation()
  const isOnline = useOnline()
  useScrollToTop()
  return (
    <div className={classes('flex min-h-dvh flex-col', !isOnline && '[--offline-bar:2.5rem]')}>
      <a
        href="#main"
        className="sr-only z-30 print:hidden rounded-control bg-accent font-strong text-on-accent focus:not-sr-only focus:fixed focus:start-3 focus:top-2.5 focus:px-4 focus:py-2"
      >
        {t('layout.skip')}
      </a>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-surface px-3 sm:px-5 print:hidden">
        <MenuSheet />
        <Link to={paths.dashboard} className="rounded-control">
          <Logo />
        </Link>
        <div className="flex-1" />
        <PaletteButton />
        <ThemeToggle />
        <LanguageSelector />
        <ProfileMenu />
      </header>
      <OfflineBar isOnline={isOnline} />
      <div className="flex flex-1">
        <Sidebar />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-page min-w-0 px-4 py-5 outline-none sm:px-6 lg:px-10 lg:py-8 print:p-0"
        >
          <div className="grid gap-5">
            {banner}
            <ErrorBoundary key={pathname}>
              <Suspense fallback={<Spinner className="min-h-80" />}>{children}</Suspense>
            </ErrorBoundary>
          </div>
        </main>
      </div>
    </div>
  )
}
