import { endAccount } from './account-deletion.ts'
import { requireRecentSignIn } from './account-security.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'

export const deleteAccount = handle(
  'deleteAccount',
  async ({ input: { confirmationId }, user, visit }, services) => {
    if (confirmationId !== user.uid) throw new Refusal('confirmationMismatch')
    requireRecentSignIn(user, services)
    const isDone = await services.transaction((services) =>
      endAccount(user.uid, services, { owner: user }),
    )
    if (!isDone) throw new Refusal('sessionEnded')
    visit.forgetRefreshToken()
    return {}
  },
)
