import { limits } from '#config/limits.ts'
import { withDefault } from '#contract/access.ts'
import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'
import { seatsIn } from '../../seats.ts'
import { after } from '../../sessions.ts'
import { newId, newToken } from '../../store/ids.ts'

export const createInvite = handle('createInvite', async ({ input, user, subscription }, { attempts, store, jobs, now }) => {
  const { email, permissions, name } = input
  await attempts.take(user.emailVerified ? 'invitesByAccount' : 'invitesByUnverified', user.uid)
  if (await store.members.isMember(subscription.id, email)) throw new Refusal('alreadyMember')
  await store.invites.revokeExpired(subscription.id, email, now())
  const [id, code, expiresAt] = [newId(), newToken(), after(now(), limits.invites.live)]
  const invited = await store.invites.add({
    id,
    code,
    subscriptionId: subscription.id,
    email,
    name: name ?? null,
    permissions: withDefault(permissions),
    hostId: user.uid,
    now: now(),
    expiresAt,
  })
  if (!invited) throw new Refusal('alreadyInvited')
  const { seats, taken } = await seatsIn(subscription.id, store, now())
  if (taken > seats) throw new Refusal('seatsFull', { seats })
  const invitee = await store.users.findByEmail(email)
  await jobs.add('sendMail', {
    mail: 'invitation',
    to: email,
    language: invitee?.language ?? user.language,
    values: {
      name: name ?? invitee?.displayName ?? null,
      code,
      host: user.displayName,
      project: subscription.settings['name'] ?? '',
      expires: expiresAt.toISOString(),
    },
  })
  return { inviteId: id }
})
