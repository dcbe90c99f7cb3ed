import { limits } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import type { ActionCodeMode, VerifiedAccount } from '#contract/entities.ts'
import type { SecurityChange } from '../mails/mails.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { after } from '../platform/time.ts'
import { toAuthUser } from './sessions.ts'
import { newToken } from '../platform/ids.ts'
import type { Code } from '../store/action-codes.ts'
import type { User } from '../store/users.ts'

type MailedBy = Pick<Services, 'store' | 'jobs' | 'now'>
type Found = NonNullable<Awaited<ReturnType<Services['store']['actionCodes']['find']>>>

/** Mails a fresh code. Those that were mailed before stay good until one of them is used. */
export async function mailVerification(user: User, services: MailedBy) {
  await mailCode(user, 'verifyEmail', services)
}

export async function mailPasswordReset(user: User, services: MailedBy) {
  await mailCode(user, 'resetPassword', services)
}

/**
 * To the new address, which has to prove itself before anything changes. What went to another one ends, and the link ends with the session
 * that asked, if that is revoked.
 */
export async function mailEmailChange(
  user: User,
  newEmail: string,
  sessionId: string,
  { store, jobs, now }: MailedBy,
) {
  await store.actionCodes.endOfOtherAddresses(user.id, 'verifyAndChangeEmail', newEmail, now())
  const code = await issue(user, 'verifyAndChangeEmail', newEmail, { store, now }, sessionId)
  await jobs.add('sendMail', {
    mail: 'verifyAndChangeEmail',
    to: newEmail,
    language: user.language,
    values: { name: user.displayName, code, newEmail },
  })
}

/** To the address that an account has just lost. */
export async function mailRecovery(user: User, newEmail: string, { store, jobs, now }: MailedBy) {
  const code = await issue(user, 'recoverEmail', user.email, { store, now })
  await jobs.add('sendMail', {
    mail: 'recoverEmail',
    to: user.email,
    language: user.language,
    values: { name: user.displayName, code, newEmail },
  })
}

/** Says what was changed, with a link to lock the account if its owner did not do it. */
export async function mailSecurityNotice(
  user: User,
  change: SecurityChange,
  { store, jobs, now }: MailedBy,
) {
  const code = await issue(user, 'secureAccount', user.email, { store, now })
  await jobs.add('sendMail', {
    mail: 'securityNotice',
    to: user.email,
    language: user.language,
    values: { name: user.displayName, code, change },
  })
}

/** A code that can still be used, with its user. */
export async function findCode(
  code: string,
  { store, now }: Pick<Services, 'store' | 'now'>,
  mode?: ActionCodeMode,
) {
  const found = await store.actionCodes.find(code)
  if (!found || (mode && found.code.mode !== mode)) throw new Refusal('auth/invalid-action-code')
  if (found.code.endedAt) throw new Refusal('auth/invalid-action-code', verifiedBy(found, now()))
  if (found.code.expiresAt <= now()) throw new Refusal('auth/expired-action-code')
  return found
}

/** The code of a verification link, used or not, with its user; as long as the link lives and the address is still the account's. */
export async function findVerification(
  code: string,
  { store, now }: Pick<Services, 'store' | 'now'>,
) {
  const found = await store.actionCodes.find(code)
  if (found?.code.mode !== 'verifyEmail' || found.code.email !== found.user.email)
    throw new Refusal('auth/invalid-action-code')
  if (found.code.expiresAt <= now()) throw new Refusal('auth/expired-action-code')
  return found
}

/** Links that undo something stay good when a later one is used: that may be a thief's, whose changes the earlier one undoes. */
export const undoing: ActionCodeMode[] = ['recoverEmail', 'secureAccount']

/** A thief who has moved an account away can't take its former address either, as long as its owner may take the account back. */
export async function refuseReserved(
  email: string,
  reason: Reason,
  { store, now }: Pick<Services, 'store' | 'now'>,
) {
  if (await store.actionCodes.isReserved(email, undoing, now())) throw new Refusal(reason)
}

/** Uses the code up, for exactly one of several callers, and ends the others of its kind. The caller has locked the user's row. */
export async function consumeCode(
  oobCode: string,
  { userId, mode }: Code,
  { store, now }: Pick<Services, 'store' | 'now'>,
) {
  if (!(await store.actionCodes.consume(oobCode, now())))
    throw new Refusal('auth/invalid-action-code')
  if (!undoing.includes(mode)) await store.actionCodes.endAllOf(userId, [mode], now())
}

export function toVerifiedAccount(user: User): VerifiedAccount {
  const { email, displayName, creationTime } = toAuthUser(user)
  return { email, displayName, creationTime }
}

/** A link that has verified its address, or whose sibling has, says so to its holder as long as it lives. */
function verifiedBy({ code, user }: Found, now: Date) {
  const isSo =
    code.mode === 'verifyEmail' &&
    user.emailVerified &&
    code.email === user.email &&
    code.expiresAt > now
  return isSo ? { account: toVerifiedAccount(user) } : {}
}

async function mailCode(
  user: User,
  mode: 'verifyEmail' | 'resetPassword',
  { store, jobs, now }: MailedBy,
) {
  const code = await issue(user, mode, user.email, { store, now })
  await jobs.add('sendMail', {
    mail: mode,
    to: user.email,
    language: user.language,
    values: { name: user.displayName, code },
  })
}

async function issue(
  user: User,
  mode: ActionCodeMode,
  email: string,
  { store, now }: Pick<Services, 'store' | 'now'>,
  sessionId: string | null = null,
) {
  const code = newToken()
  const [createdAt, expiresAt] = [now(), after(now(), limits.actionCodes[mode])]
  await store.actionCodes.add({
    code,
    userId: user.id,
    mode,
    email,
    sessionId,
    now: createdAt,
    expiresAt,
  })
  return code
}
