import type { Handlers, Services, Visit } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { User } from '../store/users.ts'
import { endAccount, rejectAccount } from './account-deletion.ts'
import { findVerification, mailCode, refuseReserved, toVerifiedAccount } from './action-codes.ts'
import { claim, takeOver } from './claims.ts'
import {
  changePassword,
  endFormerAccess,
  lockRecent,
  requireRecentFor,
  requireRecentSignIn,
} from './credentials.ts'
import { introduceDevice, rememberDevice } from './devices.ts'
import { forgetGuesses, guardGuess } from './guessing.ts'
import { askSecondStep } from './resolvers.ts'
import { addAccessToken, lockRow, startSession } from './sessions.ts'
import { setEmail } from './ways-back.ts'

export const accountCalls = {
  /** Mails a link to the new address. The account's address changes only when that link is used. */
  async updateEmail({ input, user }, services) {
    const { newEmail } = input
    if (!user.emailVerified) throw new Refusal('auth/operation-not-allowed')
    requireRecentSignIn(user, services)
    await services.rateLimits.consume(['emailChangeByAccount', user.uid])
    const taken = { email: newEmail, reason: 'auth/email-already-in-use' } as const
    if (await services.store.users.findByEmail(newEmail)) throw new Refusal(taken.reason)
    await services.transaction(async (services) => {
      const { store, now } = services
      const [row] = await Promise.all([
        lockRecent(user, services),
        refuseReserved({ ...taken, except: user.uid }, services),
      ])
      const mode = 'verifyAndChangeEmail'
      const other = { userId: row.id, mode, email: newEmail, now: now() } as const
      // Ties the link to the session: when the session is revoked, the link ends.
      const options = { to: newEmail, sessionId: user.session.id }
      const [refusal] = await Promise.all([
        mailCode(row, mode, { newEmail }, services, options),
        store.actionCodes.endOfOtherAddresses(other),
      ])
      if (refusal) throw refusal
      const change = { kind: 'emailChangeRequested', newEmail } as const
      await mailCode(row, 'secureAccount', { change }, services)
    })
    return {}
  },

  /** The former address may be a stranger's, so it gets no way back, and its links end. */
  async correctEmail({ input: { email }, user, visit }, services) {
    requireRecentSignIn(user, services)
    await services.rateLimits.consume(['emailChangeByAccount', user.uid])
    await services.transaction(async (services) => {
      const { store, now } = services
      const row = await lockRecent(user, services)
      if (row.claimed) throw new Refusal('alreadyVerified')
      if (row.email === email) throw new Refusal('emailUnchanged')
      await refuseReserved({ email, reason: 'auth/email-already-in-use', except: row.id }, services)
      const account = { email, emailVerified: false, claimed: false }
      await setEmail(row, account, services)
      const sender = visit.network
      const corrected = { ...row, ...account }
      const [refusal] = await Promise.all([
        mailCode(corrected, 'verifyEmail', {}, services, { sender }),
        store.actionCodes.endAllMailedTo({ userId: row.id, email: row.email, now: now() }),
        store.actionCodes.endAllOf(row.id, ['verifyAndChangeEmail', 'resetPassword'], now()),
      ])
      if (refusal) throw refusal
    })
    return {}
  },

  async updatePassword({ input, user, visit }, services) {
    requireRecentSignIn(user, services)
    await services.rateLimits.consume(['passwordChangeBySession', user.session.id])
    const password = await services.identity.preparePassword(input.newPassword, {
      email: user.email,
      caller: user.uid,
    })
    const row = await services.transaction(async (services) => {
      const row = await endFormerAccess(user.uid, services, { keepSession: user.session.id })
      requireRecentFor(row, user, services)
      await changePassword(row, password, services)
      return row
    })
    rememberDevice(row, visit, services)
    return {}
  },

  async deleteAccount({ input, user, visit }, services) {
    if (input.confirmationId !== user.uid) throw new Refusal('confirmationMismatch')
    requireRecentSignIn(user, services)
    const isDone = await services.transaction((services) =>
      endAccount(user.uid, services, { caller: user }),
    )
    if (!isDone) throw new Refusal('sessionEnded')
    visit.forgetRefreshToken()
    return {}
  },

  async claimAccount({ input, user: caller, visit }, services) {
    const { oobCode, password, newPassword } = input
    if (password !== undefined && newPassword !== undefined)
      throw new Refusal('invalidInput', { fields: { newPassword: 'unknown' } })
    const { user } = await findVerification(oobCode, visit, services)
    if (newPassword !== undefined) return takeOverWith(newPassword, user, visit, services)
    if (password !== undefined) return claimWith(password, user, visit, services)
    if (caller?.uid !== user.id)
      throw new Refusal('invalidInput', { fields: { password: 'required' } })
    return services.transaction(async (services) => {
      await lockRow(caller, services)
      const claimed = await claim(await lockSame(user, services), services)
      return addAccessToken(claimed, caller.session.id, services)
    })
  },

  async rejectVerification({ input: { oobCode }, visit }, services) {
    const { user } = await findVerification(oobCode, visit, services)
    return rejectAccount(await lockSame(user, services), services)
  },
} satisfies Partial<Handlers>

async function claimWith(password: string, user: User, visit: Visit, services: Services) {
  const { email } = user
  const stored = await services.store.users.findCredentials(email)
  const judge = () => services.identity.signInWithPassword(stored, password, visit.network)
  const judged = await guardGuess({ email, owner: stored.user, visit, judge }, services)
  if (judged.hasSecondStep) throw await askSecondStep(judged, visit, services, { claims: email })
  const claimed = await services.transaction(async (services) => {
    const locked = await lockSame(user, services)
    // The password may have changed while it was checked.
    if (judged.id !== locked.id || judged.credentialsVersion !== locked.credentialsVersion)
      throw new Refusal('auth/invalid-credential')
    return claim(locked, services)
  })
  return startSession(claimed, visit, services)
}

async function takeOverWith(newPassword: string, user: User, visit: Visit, services: Services) {
  requireUnclaimed(user)
  const { email } = user
  const caller = visit.network
  const password = await services.identity.preparePassword(newPassword, { email, caller })
  const taken = await services.transaction(async (services) => {
    const locked = await lockSame(user, services)
    requireUnclaimed(locked)
    const taken = await takeOver(locked, services)
    await changePassword(taken, password, services)
    return taken
  })
  await forgetGuesses(taken, visit, services)
  introduceDevice(taken, visit, services)
  return startSession(taken, visit, services)
}

/** A claimed account's password changes only by a reset, however old the link is. */
function requireUnclaimed(user: User) {
  if (user.disabled) throw new Refusal('auth/user-disabled')
  if (user.claimed)
    throw new Refusal('auth/invalid-action-code', { account: toVerifiedAccount(user) })
}

/** Locks the account. Refuses if its address has changed since the link was checked. */
async function lockSame({ id, email }: User, { store }: Services) {
  const locked = await store.users.lock(id)
  if (locked?.email !== email) throw new Refusal('auth/invalid-action-code')
  return locked
}
