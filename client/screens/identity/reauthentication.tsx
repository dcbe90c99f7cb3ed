import { lazy, Suspense, useEffect, useState } from 'react'
import { onSignInNeeded } from '../../api/call.ts'

const ReauthenticationDialog = lazy(async () => ({
  default: (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
}))

/** Draws nothing until a call wants a recent sign-in, and loads the dialog only then. */
export function Reauthentication() {
  const [asked, setAsked] = useState<{ answer: (signedIn: boolean) => void }>()
  useEffect(() => onSignInNeeded((answer) => setAsked({ answer })), [])
  if (!asked) return null

  function close(signedIn: boolean) {
    setAsked(undefined)
    asked?.answer(signedIn)
  }

  return (
    <Suspense>
      <ReauthenticationDialog onClose={close} />
    </Suspense>
  )
}
