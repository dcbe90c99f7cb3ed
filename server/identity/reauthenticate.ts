import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'

export const reauthenticate = handle(
  'reauthenticate',
  async ({ input: { password }, user }, { attempts, identity, store, now }) => {
    await attempts.take('reauthenticationBySession', user.session.id)
    const same = await identity
      .signInWithPassword(user.email, password, user.uid)
      .catch((error: unknown) => {
        if (error instanceof Refusal && error.reason === 'auth/invalid-credential') return undefined
        throw error
      })
    if (same?.id !== user.uid) throw new Refusal('auth/wrong-password')
    await store.sessions.markSignedIn(user.session.id, now())
    return {}
  },
)
