import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { LiveUpdates } from './api/live.ts'
import { followRecord } from './api/own-language.ts'
import { QueryProvider, useRead } from './api/queries.tsx'
import { session, useSession } from './api/session.ts'
import { Drafts } from './components/drafts.ts'
import { forgetDrafts, FormDraft } from './components/form-draft.tsx'
import { Toasts } from './layouts/toasts.tsx'
import { BankQuestion } from './providers/payments/payment-screens.ts'
import { Reauthentication } from './screens/identity/reauthentication.tsx'

export { OnlyActive, RequireAccess } from './guards/require-access.tsx'
export { Shell } from './layouts/shell.tsx'
export { SubscriptionLayout } from './layouts/subscription-layout.tsx'

const drafts = { FormDraft }

/** Everything behind the sign-in. Drops what was cached and drafted for a user before this one. */
export function SignedInArea() {
  const { user } = useSession()
  useEffect(() => {
    forgetDrafts(user.uid)
    return session.subscribe(() => {
      const now = session.get()
      if (now.status === 'signedOut' && now.because === 'left') forgetDrafts()
    })
  }, [user.uid])
  return (
    <QueryProvider key={user.uid}>
      <LiveUpdates />
      <OwnLanguage />
      <Drafts value={drafts}>
        <Outlet />
      </Drafts>
      <Toasts />
      <Reauthentication />
      <BankQuestion />
    </QueryProvider>
  )
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
