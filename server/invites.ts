import type { CurrentUser } from './handle.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store/store.ts'

/** The invite, if it is this person's to answer: only their verified address proves that. */
export async function inviteFor(user: CurrentUser, inviteId: string, store: Store) {
  if (!user.emailVerified) throw new Refusal('emailNotVerified')
  const invite = await store.invites.find(inviteId)
  if (!invite || invite.email !== user.email) throw new Refusal('inviteNotFound')
  return invite
}
