import { requireRecentSignIn } from '../../account-security.ts'
import { handle } from '../../handle.ts'
import { beginFlow } from '../../provider-flows.ts'

export const startProviderFlow = handle(
  'startProviderFlow',
  async ({ input: { provider, intent, language = null }, user, visit }, services) => {
    // One more way in is as much worth to a thief as a new password.
    if (intent === 'link') requireRecentSignIn(user, services)
    const url = await beginFlow({ provider, intent, userId: user.uid, sessionId: user.session.id, language }, visit, services)
    return { url: url.href }
  },
)
