import { paths } from '#contract/paths.ts'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { toCallError, type CallError } from '../../api/post.ts'
import { useVisitor } from '../../api/session.ts'
import { Message, LiveProblem } from '../../components/message.tsx'
import { TextField } from '../../components/fields.tsx'
import { ButtonLink, Button } from '../../components/button.tsx'
import { useT, loadAllTexts } from '../../platform/i18n.ts'
import { later } from '../../platform/later.ts'
import { offersPasskeys, runtime } from '../../platform/runtime.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { useEmailField, useLinksWithAddress } from './use-email-field.ts'

// Products without other ways to sign in need none of it in the page's first chunk.
const ProviderButtons = later(async () => {
  const providers = await import('./providers.tsx').catch(() => undefined)
  return providers?.ProviderButtons ?? Nothing
})
const Nothing = () => null

export function SignIn() {
  const t = useT()
  const { linkTo, onType } = useLinksWithAddress()
  const emailField = useEmailField()
  const session = useVisitor()

  return (
    <AuthCard title={t('auth.signInTo')} front>
      {session.status === 'signedOut' && session.because === 'ended' && (
        <Message tone="warn">{t('errors.sessionEnded')}</Message>
      )}
      {session.status === 'signedOut' && session.told && (
        <Message tone="good">{session.told}</Message>
      )}
      <SignInForm submit="auth.signIn" linkTo={linkTo}>
        <TextField
          {...emailField}
          autoComplete="username webauthn"
          type="email"
          onInput={({ currentTarget }) => onType(currentTarget.value)}
        />
      </SignInForm>
      {offersPasskeys && <PasskeyButton />}
      <ButtonLink {...linkTo(paths.signUp)} size="large" className="-mt-2">
        {t('auth.createAccount')}
      </ButtonLink>
      {runtime.signInProviders.length > 0 && (
        <Suspense fallback={<span className="block h-20" />}>
          <ProviderButtons />
        </Suspense>
      )}
    </AuthCard>
  )
}

const load = () => import('../../api/passkeys.ts')
type Chosen = Parameters<Awaited<ReturnType<typeof load>>['signInWithPasskey']>[0]

/** Signs in with a passkey, by the button or where the browser suggests passkeys for the address. */
function PasskeyButton() {
  const t = useT()
  const [{ busy, error }, setState] = useState<{ busy: boolean; error?: CallError }>({
    busy: false,
  })

  const signIn = useCallback(async (chosen?: Chosen) => {
    setState({ busy: true })
    try {
      const [{ signInWithPasskey }] = await Promise.all([load(), loadAllTexts()])
      await signInWithPasskey(chosen)
    } catch (thrown) {
      setState({ busy: false, error: toCallError(thrown) })
    }
  }, [])

  useEffect(() => {
    if (busy) return undefined
    const gone = new AbortController()
    async function suggest() {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
      const { suggestPasskeys } = await load()
      suggestPasskeys(gone.signal, (chosen) => void signIn(chosen))
    }
    suggest().catch(() => undefined)
    return () => gone.abort()
  }, [busy, signIn])

  return (
    <>
      <Button size="large" className="-mt-2" busy={busy} onClick={() => void signIn()}>
        {t('auth.passkey')}
      </Button>
      <LiveProblem error={error} failed="auth.signInFailed" />
    </>
  )
}
