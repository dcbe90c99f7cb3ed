import { record } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Code } from '../store/action-codes.ts'
import type { User } from '../store/users.ts'
import { mailCode, undoing } from './action-codes.ts'
import { takeOver } from './claims.ts'
import { endAccess } from './credentials.ts'
import { stopFactorRemoval } from './factors.ts'

/** Gives the account to the address that the link was mailed to, and ends all access to it. */
export async function restoreAccount(user: User, code: Code, services: Services) {
  const { store, identity, now } = services
  const { email } = code
  const isFormer = email !== user.email
  if (isFormer) await setEmail(user, { email, emailVerified: true, claimed: true }, services)
  await store.actionCodes.endAllOf(user.id, undoing, now(), { since: code.createdAt })
  const restored = { ...user, email }
  // Whoever is shut out now may have asked for it.
  await stopFactorRemoval(user, services)
  if (isFormer || user.claimed) await endAccess(restored, services, code.createdAt)
  else {
    await takeOver(user, services)
    await identity.removePassword(user.id)
  }
  await Promise.all([
    record('passwordChanged', { by: restored }, services),
    mailCode(restored, 'resetPassword', {}, services, { isNeeded: () => true }),
  ])
}

type NewEmail = Pick<User, 'email' | 'emailVerified' | 'claimed'>

export async function setEmail(user: User, account: NewEmail, services: Services) {
  const { store, identity, jobs, now } = services
  const { email, emailVerified } = account
  const [, isFree] = await Promise.all([
    store.invites.lockMove({ addresses: [user.email, email].toSorted() }),
    store.users.setEmail({ id: user.id, ...account, now: now() }),
  ])
  if (!isFree) throw new Refusal('auth/email-already-in-use')
  const details = { from: user.email, to: email }
  await Promise.all([
    followTo(user, account, services),
    // Even a used verification link can claim the account, so none of an earlier time may stay.
    store.actionCodes.removeAllOf({ userId: user.id, modes: ['verifyEmail'] }),
    identity.updateUser(user.id, { email, emailVerified }),
    record('emailChanged', { by: user, details }, services),
    jobs.add('updateContacts', { ownerId: user.id }),
  ])
}

/** Nobody could accept the invitations to a former address, and a person holds one seat. */
async function followTo(user: User, { email, claimed }: NewEmail, { store, now }: Services) {
  if (!claimed) return
  // Those to an address that anything may have verified are another person's.
  await Promise.all([
    user.claimed && store.invites.readdress({ from: user.email, to: email, now: now() }),
    store.invites.endOfMember({ userId: user.id, email, now: now() }),
  ])
}

/**
 * Gives the account back to its former address, which can still take it back. False if none can.
 * For the owner of the present address, who says that the account was never theirs.
 */
export async function giveBack(user: User, services: Services) {
  const { store, now } = services
  const wayBack = await store.actionCodes.findWayBack(user.id, now())
  if (!wayBack) return false
  await restoreAccount(user, wayBack, services)
  return true
}
