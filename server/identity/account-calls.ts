import type { Handlers } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { endAccount } from './account-deletion.ts'
import { mailCode, refuseReserved } from './action-codes.ts'
import {
  changePassword,
  endFormerAccess,
  lockRecent,
  requireRecentFor,
  requireRecentSignIn,
} from './credentials.ts'
import { rememberDevice } from './devices.ts'
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
} satisfies Partial<Handlers>
