import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'

/** What the mailed link leads to. Who holds it reads the invitee's mail: if they are signed in under that address, it is theirs. */
export const checkInvite = handle('checkInvite', async ({ input: { code }, user, visit }, { attempts, store, identity, now }) => {
  await attempts.take('codesByAddress', visit.address)
  const invite = await store.invites.findByCode(code)
  if (!invite) throw new Refusal('inviteNotFound')
  if (invite.status !== 'pending') throw new Refusal('inviteNotPending')
  if (invite.expires * 1000 <= now().getTime()) throw new Refusal('inviteExpired')
  if (user && !user.emailVerified && user.email === invite.email) {
    await store.users.verifyEmail(user.uid, now())
    await identity.updateUser(user.uid, { emailVerified: true })
  }
  return { invite }
})
