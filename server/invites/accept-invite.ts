import { withDefault } from '#contract/access.ts'
import { person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { inviteFor } from './invites.ts'
import { Refusal } from '../platform/refusal.ts'
import { seatsIn } from './seats.ts'

export const acceptInvite = handle(
  'acceptInvite',
  async ({ input: { inviteId }, user }, services) => {
    const { store, now } = services
    const { subscription_id: subscriptionId } = await inviteFor(user, inviteId, store)
    await store.subscriptions.lock(subscriptionId)
    const invite = await inviteFor(user, inviteId, store)
    if (invite.status !== 'pending') throw new Refusal('inviteNotPending')
    if (invite.expires * 1000 <= now().getTime()) throw new Refusal('inviteExpired')
    const subscription = await store.subscriptions.find(subscriptionId)
    if (!subscription) throw new Refusal('inviteNotFound')
    if (subscription.status !== 'active') throw new Refusal('subscriptionCanceled')
    if (await store.members.isMember(subscriptionId, user.email)) throw new Refusal('alreadyMember')
    // The invite holds a seat already; it is refused only when there are fewer seats than people by now.
    const { seats, taken } = await seatsIn(subscription.id, store, now())
    if (taken > seats) throw new Refusal('seatsFull', { seats })
    // A rejection waits for nobody, so it may have come in between.
    if (!(await store.invites.end(inviteId, 'accepted', now())))
      throw new Refusal('inviteNotPending')
    const permissions = withDefault(invite.permissions)
    await store.members.add({ subscriptionId, userId: user.uid, permissions, now: now() })
    await record(
      'memberJoined',
      { by: person(user), in: subscriptionId, details: { permissions } },
      services,
    )
    return {}
  },
)
