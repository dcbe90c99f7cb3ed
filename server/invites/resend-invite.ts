import { limits } from '#config/limits.ts'
import { person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { inviteOf, mailInvite, requireVerified } from './invites.ts'
import { Refusal } from '../platform/refusal.ts'
import { seatsIn } from './seats.ts'
import { after } from '../identity/sessions.ts'
import { newToken } from '../store/ids.ts'

export const resendInvite = handle(
  'resendInvite',
  async ({ input: { inviteId }, subscription, user }, services) => {
    const { attempts, store, now } = services
    requireVerified(user)
    const invite = await inviteOf(subscription.id, inviteId, store)
    const [code, expiresAt] = [newToken(), after(now(), limits.invites.live)]
    if (!(await store.invites.renew(inviteId, code, expiresAt)))
      throw new Refusal('inviteNotPending')
    // One that had expired takes its seat again.
    const { seats, taken } = await seatsIn(subscription.id, store, now())
    if (taken > seats) throw new Refusal('seatsFull', { seats })
    await record(
      'inviteResent',
      { by: person(user), to: invite.email, in: subscription.id },
      services,
    )
    const mail = () => mailInvite({ ...invite, code, expiresAt }, { subscription, user }, services)
    await attempts.countDone('resendsByInvite', inviteId, mail)
    return {}
  },
)
