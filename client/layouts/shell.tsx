import { paths } from '#contract/paths.ts'
import { WifiOff } from 'lucide-react'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { Link, NavigationType, Outlet, useLocation, useNavigationType } from 'react-router'
import { useOnline } from '../api/queries.tsx'
import { classes } from '../components/classes.ts'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { Logo } from '../components/logo.tsx'
import { Spinner } from '../components/spinner.tsx'
import { ThemeAndLanguage } from '../components/theme-and-language.tsx'
import { useT } from '../platform/i18n.ts'
import { MenuSheet, Sidebar } from './menu.tsx'
import { PaletteButton } from './palette.tsx'
import { ProfileMenu } from './profile-menu.tsx'

type ShellProps = { banner?: ReactNode; children?: ReactNode }

/** The top bar, the sidebar and the screen. `children` replace the screen that the URL names. */
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
        <ThemeAndLanguage />
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

/** Scrolls new screens and steps to the top. On the way back, the browser restores the position. */
function useScrollToTop() {
  const { pathname, key } = useLocation()
  const type = useNavigationType()
  const last = useRef({ pathname, key })
  useEffect(() => {
    const isNew =
      type === NavigationType.Push ? last.current.key !== key : last.current.pathname !== pathname
    last.current = { pathname, key }
    if (isNew && type !== NavigationType.Pop) window.scrollTo(0, 0)
  }, [pathname, key, type])
}
