import { limits } from '#config/limits.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { isOpen, screenEntries, screenModule, screens, type ScreenName } from '#contract/screens.ts'
import { Suspense, type ComponentType } from 'react'
import { matchPath, Navigate, Route, Routes, useLocation } from 'react-router'
import { useVisitor } from './api/session.ts'
import { hasSession } from './api/sign-out.ts'
import { FullScreenSpinner, StillLoading } from './components/spinner.tsx'
import { GetReady } from './components/use-go-on.ts'
import { RequireSignedIn, RequireSignedOut } from './guards/require-session.tsx'
import { loadAllTexts } from './platform/i18n.ts'
import { later } from './platform/later.ts'
import { useHiddenCode } from './platform/mailed-code.ts'
import { AuthLayout } from './layouts/auth-layout.tsx'
// Most visits begin with this screen, so it is part of the page's first chunk.
import './screens/identity/sign-in.screen.tsx'

const files = import.meta.glob<Record<string, ComponentType>>([
  './screens/*/*.screen.tsx',
  '../modules/*/screens/*.screen.tsx',
])
const components = Object.fromEntries(
  screenEntries.map(([name]) => [name, later(() => loadScreen(name))]),
) as Record<ScreenName, ReturnType<typeof later<object>>>

const NotFound = later(async () => {
  const notFound = import('./screens/not-found.tsx')
  const [{ NotFound }] = await Promise.all([notFound, loadAllTexts()])
  return NotFound
})

const SignedInArea = later(async () => {
  const [{ SignedInArea }] = await Promise.all([import('./signed-in-area.tsx'), loadAllTexts()])
  return SignedInArea
})
const FrameSkeleton = later(async () => (await import('./layouts/frame.tsx')).FrameSkeleton)

const loading = (
  <Suspense fallback={<FullScreenSpinner />}>
    <FrameSkeleton />
  </Suspense>
)

export function AppRoutes() {
  useHiddenCode()
  const isSignedIn = useVisitor().status === 'signedIn'
  const isForSignedIn = needsSession(useLocation().pathname) || isSignedIn
  return (
    <GetReady value={getReady}>
      <StillLoading />
      <Routes>
        <Route path={paths.home} element={<Navigate to={paths.dashboard} replace />} />

        <Route element={<AuthLayout />}>
          <Route element={<RequireSignedOut />}>{routesFor('signedOut')}</Route>
          {routesFor('anyone')}
          {!isForSignedIn && <Route path="*" element={<NotFound />} />}
        </Route>

        {isForSignedIn && (
          <Route element={<RequireSignedIn loading={loading} />}>
            <Route path="*" element={<SignedInArea components={components} />} />
          </Route>
        )}
      </Routes>
    </GetReady>
  )
}

/** Whether an address opens a screen for signed-in people, or lacks only the project's id. */
function needsSession(pathname: string) {
  return (
    matchPath(projectPath('subscription', ''), pathname) !== null ||
    screenEntries.some(([, { path, needs }]) => !isOpen(needs) && matchPath(path, pathname))
  )
}

function routesFor(needs: 'signedOut' | 'anyone') {
  return screenEntries
    .filter(([, screen]) => screen.needs === needs)
    .map(([name, { path }]) => {
      const Screen = components[name]
      return <Route key={name} path={path} element={<Screen />} />
    })
}

async function loadScreen(name: ScreenName) {
  const path = Object.keys(files).find((path) => path.endsWith(screenModule(name)))!
  const [module] = await Promise.all([
    files[path]!(),
    screens[name].needs === 'signedOut' || loadAllTexts(),
  ])
  return Object.values(module)[0]!
}

/** Whether the first screen needs all texts, so that they load at once. */
export function needsAllTexts() {
  return hasSession() || firstScreens().some(([, { needs }]) => needs !== 'signedOut')
}

/** Loads the first screen. If that takes long, the page shows a spinner until then. */
export async function preloadFirstScreen() {
  const late = new Promise((resolve) => setTimeout(resolve, limits.screens.firstPaint))
  await Promise.race([late, preload(firstScreens())])
}

function firstScreens() {
  const { pathname } = location
  return screensAt(pathname === paths.home ? paths.dashboard : pathname)
}

/** Loads the screen behind a link as soon as the user points at the link or focuses it. */
export function preloadPointedScreens() {
  for (const event of ['pointerover', 'focusin'] as const)
    addEventListener(event, ({ target }) => {
      const link = target instanceof Element && target.closest('a')
      if (link && link.origin === location.origin) void preload(screensAt(link.pathname))
    })
}

/** The id of the project that the URL names. No id is longer, and the server would refuse it. */
export function projectInUrl() {
  const id = matchPath(`${paths.subscription}/*`, location.pathname)?.params.id
  return id && id.length <= 64 ? id : undefined
}

/** The screens that a link opens. Visitors who need to sign in are led to the sign-in screen. */
function screensAt(pathname: string) {
  return screenEntries.filter(
    ([, { path, needs }]) => matchPath(path, pathname) && (hasSession() || isOpen(needs)),
  )
}

const getReady = (pathname: string) => preload(screensAt(pathname))

function preload(screens: ReturnType<typeof screensAt>) {
  const chunks = screens.map(([name]) => components[name])
  const wanted = hasSession() ? [SignedInArea, FrameSkeleton, ...chunks] : chunks
  return Promise.allSettled(wanted.map(({ preload }) => preload()))
}
