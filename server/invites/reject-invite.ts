import { person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { inviteFor } from './invites.ts'
import { Refusal } from '../platform/refusal.ts'

export const rejectInvite = handle(
  'rejectInvite',
  async ({ input: { inviteId }, user }, services) => {
    const { store, now } = services
    const { email, subscription_id: subscriptionId } = await inviteFor(user, inviteId, store)
    if (!(await store.invites.end(inviteId, 'rejected', now())))
      throw new Refusal('inviteNotPending')
    await record('inviteRejected', { by: person(user), to: email, in: subscriptionId }, services)
    return {}
  },
)
