import { requireRecentSignIn } from './account-security.ts'
import { handle } from '../core/handle.ts'
import { beginFlow } from './provider-flows.ts'
import { Refusal } from '../platform/refusal.ts'

export const startProviderFlow = handle(
  'startProviderFlow',
  async ({ input: { provider, intent, language = null }, user, visit }, services) => {
    if (intent === 'link') {
      if (!user.emailVerified) throw new Refusal('emailNotVerified')
      // One more way in is as much worth to a thief as a new password.
      requireRecentSignIn(user, services)
    }
    const url = await beginFlow(
      { provider, intent, userId: user.uid, sessionId: user.session.id, language },
      visit,
      services,
    )
    return { url: url.href }
  },
)
