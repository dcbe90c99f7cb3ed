import { isAdmin } from '#contract/access.ts'
import { person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { inviteOf } from './invites.ts'
import { Refusal } from '../platform/refusal.ts'

export const revokeInvite = handle(
  'revokeInvite',
  async ({ input: { inviteId }, subscription, user }, services) => {
    const { store, now } = services
    const mayRevoke =
      isAdmin(subscription, user.uid) || (await store.invites.isHost(inviteId, user.uid))
    if (!mayRevoke) throw new Refusal('adminOnly')
    const { email } = await inviteOf(subscription.id, inviteId, store)
    if (!(await store.invites.end(inviteId, 'revoked', now())))
      throw new Refusal('inviteNotPending')
    await record('inviteRevoked', { by: person(user), to: email, in: subscription.id }, services)
    return {}
  },
)
