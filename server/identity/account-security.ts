import { limits } from '#config/limits.ts'
import { mailPasswordReset } from './action-codes.ts'
import { person, record } from '../activity/activity.ts'
import type { CurrentUser } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import type { User } from '../store/users.ts'

/** What could be undone only with trouble asks for a sign-in of the last minutes. */
export function requireRecentSignIn(user: CurrentUser, { now }: Pick<Services, 'now'>) {
  const age = now().getTime() - user.session.signedInAt.getTime()
  if (age > limits.sessions.recentSignIn) throw new Refusal('auth/requires-recent-login')
}

/**
 * Ends what somebody else may have begun with the former credentials: sessions, sign-ins that are still being judged, resets and changes of
 * address. The sign-ins come first: one that has not kept its session yet waits here, and is refused afterwards. Gives the user's row as it
 * is now. Refused if the session that asks for it, and is to be kept, was ended meanwhile.
 */
export async function endFormerAccess(
  userId: string,
  { store, now }: Services,
  { keepSession }: { keepSession?: string } = {},
) {
  const user = await store.users.renewCredentials(userId)
  if (!user || (keepSession !== undefined && !(await store.sessions.hold(keepSession))))
    throw new Refusal('sessionEnded')
  await store.sessions.endAllOf(userId, { except: keepSession })
  await store.actionCodes.endAllOf(userId, ['verifyAndChangeEmail', 'resetPassword'], now())
  return user
}

/** Shuts everybody out, whichever way they came in, and mails the owner of the address a link to come back with. */
export async function lockDown(user: User, services: Services) {
  const { store, identity, jobs, now } = services
  await endFormerAccess(user.id, services)
  // Removed, not ended: a used link of this kind can still delete the account.
  await store.actionCodes.removeAllOf(user.id, ['verifyEmail'])
  await unlinkAll(user, services)
  // The link in the mail sets the next one.
  await identity.removePassword(user.id)
  await record('passwordChanged', { by: person(user) }, services)
  await mailPasswordReset(user, { store, jobs, now })
}

export async function unlinkAll(user: User, services: Services) {
  const providers = await services.store.providerLinks.removeAllOf(user.id)
  for (const provider of providers)
    await record('providerUnlinked', { by: person(user), details: { provider } }, services)
}

/** Providers that were linked before the address was proved may be somebody else's. Gives those that are unlinked, which nobody asked for. */
export async function unlinkUnverified(user: User, services: Services) {
  const providers = await services.store.providerLinks.removeUnverifiedOf(user.id)
  for (const provider of providers)
    await record('providerUnlinked', { to: person(user), details: { provider } }, services)
  return providers
}

/** The address is theirs: known here and at the identity provider, which would undo it at the next sign-in otherwise. */
export async function markEmailVerified(
  uid: string,
  { store, identity, now }: Pick<Services, 'store' | 'identity' | 'now'>,
) {
  await store.users.verifyEmail(uid, now())
  await identity.updateUser(uid, { emailVerified: true })
}
