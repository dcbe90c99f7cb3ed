import { useCallback, useContext, useEffect, type ReactNode } from 'react'
import { Outlet } from 'react-router'
import { LiveUpdates } from './api/live.ts'
import { followRecord } from './api/own-language.ts'
import { QueryProvider, useRead, useReadAhead } from './api/queries.tsx'
import { session, useSession } from './api/session.ts'
import { forgetDraftsOfOthers } from './components/form-draft.tsx'
import { GetReady } from './components/use-go-on.ts'
import { useScrollToTop } from './components/use-scroll-to-top.ts'
import { Toasts } from './layouts/toasts.tsx'
import { BankQuestion } from './providers/payments/payment-screens.ts'
import { Reauthentication } from './screens/identity/reauthentication.tsx'

export { OnlyActive, RequireAccess } from './guards/require-access.tsx'
export { FrameSkeleton } from './layouts/frame.tsx'
export { Shell } from './layouts/shell.tsx'
export { SubscriptionLayout } from './layouts/subscription-layout.tsx'

/** Everything behind the sign-in. Drops what was cached and drafted for a user before this one. */
export function SignedInArea() {
  const { user } = useSession()
  useScrollToTop()
  useEffect(() => forgetDraftsOfOthers(user.uid), [user.uid])
  return (
    <QueryProvider key={user.uid}>
      <LiveUpdates />
      <OwnLanguage />
      <Preparing>
        <Outlet />
      </Preparing>
      <Toasts />
      <Reauthentication />
      <BankQuestion />
    </QueryProvider>
  )
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

function OwnLanguage() {
  const read = useRead()
  useEffect(() => {
    const follow = () => {
      if (session.get().status !== 'signedIn') return
      followRecord(async () => (await read('getUser', {})).user.language).catch(goOnWithout)
    }
    follow()
    // When another tab changes the record, this tab refreshes its session and reads the record.
    return session.subscribe(follow)
  }, [read])
  return null
}

/** If the record can't be read, the language stays as it is. */
function goOnWithout() {}
