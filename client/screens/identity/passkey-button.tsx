import { useCallback, useEffect, useState } from 'react'
import { toCallError, type CallError } from '../../api/post.ts'
import { Button } from '../../components/button.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { loadAllTexts, useT } from '../../platform/i18n.ts'

const load = () => import('../../api/passkeys.ts')
type Chosen = Parameters<Awaited<ReturnType<typeof load>>['signInWithPasskey']>[0]

/** Signs in with a passkey, by the button or where the browser suggests passkeys for the address. */
export function PasskeyButton() {
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
