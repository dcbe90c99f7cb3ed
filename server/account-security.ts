import { limits } from '#config/limits.ts'
import { mailPasswordReset } from './action-codes.ts'
import { person, record } from './activity.ts'
import type { CurrentUser } from './handle.ts'
import { Refusal } from './refusal.ts'
import type { Services } from './services.ts'
import { newToken } from './store/ids.ts'
import type { User } from './store/users.ts'

/** What could be undone only with trouble asks for a sign-in of the last minutes. */
export function requireRecentSignIn(user: CurrentUser, { now }: Pick<Services, 'now'>) {
  const age = now().getTime() - user.session.signedInAt.getTime()
  if (age > limits.sessions.recentSignIn) throw new Refusal('auth/requires-recent-login')
}

/** Shuts everybody out, whichever way they came in, and mails the owner of the address a link to come back with. */
export async function lockDown(user: User, services: Services) {
  const { store, identity, jobs, now } = services
  await store.sessions.endAllOf(user.id)
  await store.actionCodes.endAllOf(user.id, ['verifyEmail', 'verifyAndChangeEmail', 'resetPassword'], now())
  await unlinkAll(user, services)
  // Nobody knows this one; the link in the mail sets the next.
  await identity.updateUser(user.id, { password: newToken() })
  await record('passwordChanged', { by: person(user) }, services)
  await mailPasswordReset(user, { store, jobs, now })
}

export async function unlinkAll(user: User, services: Services) {
  await recordUnlinked(user, await services.store.providerLinks.removeAllOf(user.id), services)
}

/** What was linked before the address was proved may be somebody else's way in. */
export async function unlinkUnverified(user: User, services: Services) {
  await recordUnlinked(user, await services.store.providerLinks.removeUnverifiedOf(user.id), services)
}

async function recordUnlinked(user: User, providers: string[], services: Services) {
  for (const provider of providers) await record('providerUnlinked', { by: person(user), details: { provider } }, services)
}

/** The address is theirs: known here and at the identity provider, which would undo it at the next sign-in otherwise. */
export async function markEmailVerified(uid: string, { store, identity, now }: Pick<Services, 'store' | 'identity' | 'now'>) {
  await store.users.verifyEmail(uid, now())
  await identity.updateUser(uid, { emailVerified: true })
}
