import { paths, projectPath } from '#contract/paths.ts'
import { screenEntries, type ScreenName } from '#contract/screens.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  useCallback,
  useContext,
  useEffect,
  useRef,
  lazy,
  Suspense,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { Route, Routes, NavigationType, useLocation, useNavigationType } from 'react-router'
import { LiveUpdates } from './api/live.ts'
import { followRecord } from './api/own-language.ts'
import { useCache, useRead, useReadAhead } from './api/queries.ts'
import { session, useSession } from './api/session.ts'
import { forgetDraftsOfOthers } from './components/form-draft.tsx'
import { GetReady, led } from './components/use-go-on.ts'
import { OnlyActive, RequireAccess } from './guards/require-access.tsx'
import { LeadAway, type NewsOnTheWay } from './layouts/news.tsx'
import { Shell } from './layouts/shell.tsx'
import { SubscriptionLayout } from './layouts/subscription-layout.tsx'
import { Toasts } from './layouts/toasts.tsx'
import { useT } from './platform/i18n.ts'
import { BankQuestion } from './providers/payments/payment-screens.ts'
import { NotFound } from './screens/not-found.tsx'
import { onSignInNeeded } from './api/call.ts'

type Screen = (typeof screenEntries)[number][1]
const needsInProjects = new Set(
  screenEntries
    .map(([, { needs }]) => needs)
    .filter((needs) => needs !== 'signedOut' && needs !== 'anyone' && needs !== 'signedIn'),
)

const noProject: NewsOnTheWay = {
  tone: 'bad',
  title: 'project.loadFailed',
  says: 'errors.noSubscriptionId',
}

type SignedInAreaProps = { components: Record<ScreenName, ComponentType> }

/** Everything behind the sign-in. Drops what was cached and drafted for a user before this one. */
export function SignedInArea(props: SignedInAreaProps) {
  const { uid } = useSession().user
  return <AreaOf key={uid} uid={uid} {...props} />
}

function AreaOf({ uid, components }: SignedInAreaProps & { uid: string }) {
  const cache = useCache()
  useScrollToTop()
  useEffect(() => forgetDraftsOfOthers(uid), [uid])
  return (
    <QueryClientProvider client={cache}>
      <LiveUpdates />
      <OwnLanguage />
      <OfflinePage />
      <Preparing>
        <Routes>
          <Route element={<Shell />}>
            {routesFor('signedIn', components)}
            <Route path="*" element={<NotFound framed />} />
          </Route>
          <Route path={projectPath('subscription', '')} element={<LeadAway news={noProject} />} />
          <Route element={<SubscriptionLayout />}>
            {Array.from(needsInProjects, (needs, place) => (
              <Route key={place} element={<RequireAccess needs={needs} />}>
                {routesFor(needs, components)}
              </Route>
            ))}
            <Route path={`${paths.subscription}/*`} element={<NotFound framed />} />
          </Route>
        </Routes>
      </Preparing>
      <Toasts />
      <Reauthentication />
      <BankQuestion />
    </QueryClientProvider>
  )
}

function routesFor(needs: Screen['needs'], components: SignedInAreaProps['components']) {
  return screenEntries
    .filter(([, screen]) => screen.needs === needs)
    .map(([name, { path, onlyActive }]) => {
      const Screen = components[name]
      const element = onlyActive ? (
        <OnlyActive key={name}>
          <Screen />
        </OnlyActive>
      ) : (
        <Screen />
      )
      return <Route key={name} path={path} element={element} />
    })
}

/** Gets the next screen ready with its data, too. */
function Preparing({ children }: { children: ReactNode }) {
  const loadScreen = useContext(GetReady)
  const readAhead = useReadAhead()
  const getReady = useCallback(
    (pathname: string) => {
      loadScreen(pathname)
      readAhead(pathname)
    },
    [loadScreen, readAhead],
  )
  return <GetReady value={getReady}>{children}</GetReady>
}

/** Gives an installed app a page that says so when no server can be reached. */
function OfflinePage() {
  const t = useT()
  useEffect(() => {
    if (!matchMedia('(display-mode: standalone)').matches) return
    const { lang, dir } = document.documentElement
    const title = t('common.unreachableTitle')
    const texts = { lang, dir, title, text: t('errors.network'), again: t('common.tryAgain') }
    const worker = `/offline.js?${new URLSearchParams(texts).toString()}`
    // Without it, the browser shows its own page.
    navigator.serviceWorker?.register(worker).catch(() => undefined)
  }, [t])
  return null
}

function OwnLanguage() {
  const read = useRead()
  useEffect(() => {
    const follow = () => {
      if (session.get().status !== 'signedIn') return
      // If the record can't be read, the language stays as it is.
      followRecord(async () => (await read('getUser', {})).user.language).catch(() => undefined)
    }
    follow()
    // When another tab changes the record, this tab refreshes its session and reads the record.
    return session.subscribe(follow)
  }, [read])
  return null
}

window.navigation?.addEventListener('navigate', (event) => {
  // On a way back, the browser would restore the position after this page has scrolled to the top.
  // The way to a page before a reload can't be intercepted.
  if (led.isOn && event.canIntercept && event.navigationType === 'traverse')
    event.intercept({ scroll: 'manual', focusReset: 'manual' })
})

/**
 * Scrolls new screens and steps to the top, and those to which a form leads. On any other way back,
 * the browser restores the position.
 */
function useScrollToTop() {
  const { pathname, key } = useLocation()
  const type = useNavigationType()
  const last = useRef({ pathname: '', key: '' })
  useEffect(() => {
    const { current } = last
    last.current = { pathname, key }
    if (current.key === key) return
    const isNew = type === NavigationType.Push || current.pathname !== pathname
    if (led.isOn || (isNew && type !== NavigationType.Pop)) window.scrollTo(0, 0)
    led.isOn = false
  }, [pathname, key, type])
}

const ReauthenticationDialog = lazy(async () => ({
  default: (await import('./screens/identity/reauthentication-dialog.tsx')).ReauthenticationDialog,
}))

/** Draws nothing until a call needs a recent sign-in. Only then loads the dialog. */
function Reauthentication() {
  const [asked, setAsked] = useState<{ answer: (signedIn: boolean) => void; withStep: boolean }>()
  useEffect(() => onSignInNeeded((answer, withStep) => setAsked({ answer, withStep })), [])
  if (!asked) return null

  function close(signedIn: boolean) {
    setAsked(undefined)
    asked?.answer(signedIn)
  }

  return (
    <Suspense>
      <ReauthenticationDialog withStep={asked.withStep} onClose={close} />
    </Suspense>
  )
}
