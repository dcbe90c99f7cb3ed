import { paths } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { LucideIcon } from 'lucide-react'
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

/** `current` decides where the address alone does not. */
export type MenuItem = { to: string; label: MessageKey; icon: LucideIcon; current?: boolean }

type ShellProps = {
  menu: MenuItem[]
  banner?: ReactNode
  withLanguages?: boolean
  children?: ReactNode
}

/** Top bar, sidebar and the screen: the frame of everything behind the sign-in. `children` stand in for the screen of the address. */
export function Shell({ menu, banner, withLanguages = true, children = <Outlet /> }: ShellProps) {
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
        <MenuSheet menu={menu} />
        <Link to={paths.dashboard} className="rounded-control">
          <Logo />
        </Link>
        <div className="flex-1" />
        <PaletteButton />
        <ThemeToggle />
        {withLanguages && <LanguageSelector />}
        <ProfileMenu />
      </header>
      <OfflineBar isOnline={isOnline} />
      <div className="flex flex-1">
        <Sidebar menu={menu} />
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
