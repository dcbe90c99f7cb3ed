import { lazy, Suspense, useEffect, useState } from 'react'
import { onSignInNeeded } from '../../api/call.ts'

const ReauthenticationDialog = lazy(async () => ({
  default: (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
}))

/** Draws nothing until a call needs a recent sign-in. Only then loads the dialog. */
export function Reauthentication() {
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
