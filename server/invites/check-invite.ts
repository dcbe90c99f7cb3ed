import { markEmailVerified } from '../identity/account-security.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'

/** What the mailed link leads to. Who holds it reads the invitee's mail: if they are signed in under that address, it is theirs. */
export const checkInvite = handle(
  'checkInvite',
  async ({ input: { code }, user, visit }, services) => {
    const invite = await services.attempts.countFailed('codesByNetwork', visit.network, () =>
      findOpen(code, services),
    )
    if (user && !user.emailVerified && user.email === invite.email) {
      await markEmailVerified(user.uid, services)
      await services.store.providerLinks.markVerifiedOf(user.uid)
    }
    return { invite }
  },
)

async function findOpen(code: string, { store, now }: Services) {
  const invite = await store.invites.findByCode(code)
  if (!invite) throw new Refusal('inviteNotFound')
  if (invite.status !== 'pending') throw new Refusal('inviteNotPending', { status: invite.status })
  if (invite.expires * 1000 <= now().getTime()) throw new Refusal('inviteExpired')
  return invite
}
