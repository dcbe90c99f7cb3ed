import { limits } from '#config/limits.ts'
import { record } from '../activity/record.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PreparedPassword } from '../providers/identity/identity.ts'
import type { User } from '../store/users.ts'
import { endTokensAndLinks } from '../tokens/ending.ts'
import { mailCode } from './action-codes.ts'
import { removeFactors } from './factors.ts'
import { forgetWrongSteps } from './second-step.ts'
import { lockRow } from './sessions.ts'

/**
 * Refuses unless the user has signed in recently, and passed the second step if there is one.
 * Changes that are hard to undo require this.
 */
export function requireRecentSignIn({ session, hasSecondStep }: CurrentUser, services: Services) {
  const { signedInAt, secondStepAt } = session
  if (!isRecent(signedInAt, services) || (hasSecondStep && !isRecent(secondStepAt, services)))
    throw new Refusal('auth/requires-recent-login')
}

/** Locks the caller's row, and judges the sign-in by it. */
export async function lockRecent(user: CurrentUser, services: Services) {
  requireRecentSignIn(user, services)
  const row = await lockRow(user, services)
  requireRecentFor(row, user, services)
  return row
}

/** Judges a sign-in by the locked row: the user may just have turned the second step on. */
export function requireRecentFor(row: User, user: CurrentUser, services: Services) {
  requireRecentSignIn({ ...user, hasSecondStep: row.hasSecondStep }, services)
}

export function isRecent(at: Date | null, { now }: Services) {
  return at !== null && now().getTime() - at.getTime() <= limits.sessions.recentSignIn
}

/**
 * Ends what another person may have begun with the former credentials. A sign-in that has not
 * stored its session yet waits for this transaction and is then refused. Access tokens go on if the
 * user keeps the session, in which they are listed.
 */
export async function endFormerAccess(
  userId: string,
  services: Services,
  { keepSession }: { keepSession?: string } = {},
) {
  const { store, now } = services
  const [user, isHeld] = await Promise.all([
    store.users.renewCredentials(userId),
    keepSession === undefined || store.sessions.hold(keepSession),
  ])
  if (!user || !isHeld) throw new Refusal('sessionEnded')
  await Promise.all([
    store.sessions.endAllOf({ userId, except: keepSession }),
    keepSession === undefined && endTokensAndLinks(userId, services),
    store.actionCodes.endAllOf(userId, ['verifyAndChangeEmail', 'resetPassword'], now()),
  ])
  return user
}

/**
 * Ends every way into the account, the password included. Of factors, those that were added since a
 * time, which may be a thief's, or all.
 */
export async function endAccess(user: User, services: Services, since?: Date) {
  await Promise.all([
    endFormerAccess(user.id, services),
    unlinkAll(user, services),
    services.identity.removePassword(user.id),
    forgetWrongSteps(user.id, services),
    removeFactors(user, services, { since }),
  ])
}

export async function unlinkAll(user: User, services: Services) {
  const providers = await services.store.providerLinks.removeAllOf(user.id)
  await Promise.all(
    providers.map((provider) =>
      record('providerUnlinked', { by: user, details: { provider } }, services),
    ),
  )
}

/** Removes the links from before the address was verified, and returns their providers. */
export async function unlinkUnverified(user: User, services: Services) {
  const providers = await services.store.providerLinks.removeUnverifiedOf(user.id)
  for (const provider of providers)
    await record('providerUnlinked', { to: user, details: { provider } }, services)
  return providers
}

/** Our row alone is not enough: the next sign-in copies the identity provider's value. */
export async function markEmailVerified(uid: string, { store, identity, now }: Services) {
  await Promise.all([
    store.users.markVerified({ id: uid, now: now() }),
    identity.updateUser(uid, { emailVerified: true }),
  ])
}

/** Sets another password, records that, and tells the user by mail. */
export async function changePassword(user: User, password: PreparedPassword, services: Services) {
  await Promise.all([
    services.identity.updateUser(user.id, { password }),
    forgetWrongSteps(user.id, services),
    record('passwordChanged', { by: user }, services),
    mailCode(user, 'secureAccount', { change: { kind: 'passwordChanged' } }, services),
  ])
}
