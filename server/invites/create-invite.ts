import { limits } from '#config/limits.ts'
import { withDefault } from '#contract/access.ts'
import { person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { mailInvite, requireVerified } from './invites.ts'
import { Refusal } from '../platform/refusal.ts'
import { seatsIn } from './seats.ts'
import { after } from '../identity/sessions.ts'
import { newId, newToken } from '../store/ids.ts'

export const createInvite = handle(
  'createInvite',
  async ({ input, user, subscription }, services) => {
    requireVerified(user)
    const { store, now } = services
    const { email, permissions, name = null } = input
    if (await store.members.isMember(subscription.id, email)) throw new Refusal('alreadyMember')
    await store.invites.revokeExpired(subscription.id, email, now())
    const [id, code, expiresAt] = [newId(), newToken(), after(now(), limits.invites.live)]
    const invited = await store.invites.add({
      id,
      code,
      subscriptionId: subscription.id,
      email,
      name,
      permissions: withDefault(permissions),
      hostId: user.uid,
      now: now(),
      expiresAt,
    })
    if (!invited) throw new Refusal('alreadyInvited')
    const { seats, taken } = await seatsIn(subscription.id, store, now())
    if (taken > seats) throw new Refusal('seatsFull', { seats })
    await record(
      'inviteSent',
      {
        by: person(user),
        to: email,
        in: subscription.id,
        details: { permissions: withDefault(permissions) },
      },
      services,
    )
    await mailInvite({ email, name, code, expiresAt }, { subscription, user }, services)
    return { inviteId: id }
  },
)
