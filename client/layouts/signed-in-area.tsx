import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { LiveUpdates } from '../api/live-updates.tsx'
import { followRecord } from '../api/own-language.ts'
import { QueryProvider, useRead } from '../api/queries.tsx'
import { session } from '../api/session.ts'
import { useSession } from '../api/use-session.tsx'
import { FormDrafts, type FormDraftProps } from '../components/form-context.ts'
import { FormDraft } from '../components/form-draft.tsx'
import { forgetDrafts } from '../drafts.ts'
import { Reauthentication } from '../screens/identity/reauthentication.tsx'
import { Toasts } from './toasts.tsx'

/** What one person read or typed is not for the next. */
export function SignedInArea() {
  const { user } = useSession()
  useEffect(() => {
    forgetDrafts((uid) => uid !== user.uid)
    return session.subscribe(() => {
      const now = session.get()
      if (now.status === 'signedOut' && now.because === 'left') forgetDrafts()
    })
  }, [user.uid])
  return (
    <QueryProvider key={user.uid}>
      <LiveUpdates />
      <OwnLanguage />
      <FormDrafts value={drawDraft}>
        <Outlet />
      </FormDrafts>
      <Toasts />
      <Reauthentication />
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
    // Told too when the record was changed elsewhere.
    return session.subscribe(follow)
  }, [read])
  return null
}

/** The language stays as it is. */
function goOnWithout() {}

function drawDraft(draft: FormDraftProps) {
  return <FormDraft {...draft} />
}
