import { limits } from '#config/limits.ts'
import type { ActionCodeMode, VerifiedAccount } from '#contract/entities.ts'
import type { Reason } from '#contract/refusals.ts'
import { countMail } from '../core/mailboxes.ts'
import type { Services, Visit } from '../core/services.ts'
import type { MailOrder, SecurityChange } from '../mails/mails.ts'
import { newToken } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { Code } from '../store/action-codes.ts'
import type { User } from '../store/users.ts'
import { toAuthUser } from './sessions.ts'

type MailValues = {
  verifyEmail: object
  resetPassword: object
  verifyAndChangeEmail: { newEmail: string }
  recoverEmail: { newEmail: string }
  secureAccount: { change: SecurityChange }
  keepFactors: { at: string }
}
type Found = NonNullable<Awaited<ReturnType<Services['store']['actionCodes']['find']>>>
type Options = {
  to?: string
  sessionId?: string | null
  /** How long the code is valid, in milliseconds. */
  life?: number
  /** The mail that the link comes in, if it is not the mode's own. */
  mail?: 'accountRejected' | 'factorsRemovedLater'
  /** The network or user that causes the mail. */
  sender?: string
  /** Whether to mail even if the mailbox had too many mails today. Nobody else counts meanwhile. */
  isNeeded?: () => boolean | Promise<boolean>
}

/** Mails that others can cause, however well the address is proved. */
const askedByAnybody = new Set<ActionCodeMode>(['verifyEmail', 'resetPassword'])

/**
 * Mails a link with a new code. Earlier links stay valid until one of the same mode is used. Mails
 * nothing, and returns why, if the mailbox had too many mails today.
 */
export async function mailCode<Mode extends ActionCodeMode>(
  user: User,
  mode: Mode,
  values: MailValues[Mode],
  services: Services,
  {
    to = user.email,
    sessionId = null,
    life = limits.actionCodes[mode],
    mail,
    sender = user.id,
    isNeeded,
  }: Options = {},
) {
  const { store, jobs, now } = services
  const isOwn = user.claimed && to === user.email && !askedByAnybody.has(mode)
  const refusal = isOwn ? undefined : await countMail(to, sender, services)
  if (refusal && !(await isNeeded?.())) return refusal
  const code = newToken()
  const expiresAt = after(now(), life)
  const row = { code, userId: user.id, mode, email: to, sessionId, now: now(), expiresAt }
  const order = {
    mail: mail ?? (mode === 'secureAccount' ? 'securityNotice' : mode),
    to,
    language: user.language,
    values: { name: user.displayName, code, ...values },
  } as MailOrder
  await Promise.all([store.actionCodes.add(row), jobs.add('sendMail', order)])
  return undefined
}

type Wanted = {
  mode?: ActionCodeMode
  /** This user may use a verification link that somebody else used or ended before. */
  owner?: string | undefined
}

/** Returns a code that can still be used, with its user. Refuses all others. */
export async function findCode(
  oobCode: string,
  visit: Visit,
  services: Services,
  { mode, owner }: Wanted = {},
) {
  const found = await services.store.actionCodes.find(oobCode)
  if (!found) return refuseGuess('auth/invalid-action-code', visit, services)
  const now = services.now()
  if (mode && found.code.mode !== mode) throw new Refusal('auth/invalid-action-code')
  if (found.code.endedAt && !canStillClaim(found, owner))
    throw new Refusal('auth/invalid-action-code', accountVerifiedBy(found, now))
  if (found.code.expiresAt <= now)
    throw new Refusal('auth/expired-action-code', addressForNewLink(found.code))
  return found
}

/**
 * Refuses a code that never existed, within the limit of a network. Codes have 256 random bits, so
 * those that exist are no guesses, and wrong codes of neighbours don't count against them.
 */
export async function refuseGuess(
  reason: Reason,
  { network }: Visit,
  { rateLimits }: Services,
): Promise<never> {
  await rateLimits.consume(['codesByNetwork', network])
  throw new Refusal(reason)
}

function canStillClaim({ code, user }: Found, owner: string | undefined) {
  const isOwn = code.mode === 'verifyEmail' && code.email === user.email && user.id === owner
  return isOwn && !user.claimed
}

/** The address to which the screen of an expired link offers another one. */
function addressForNewLink({ mode, email }: Code) {
  return mode === 'resetPassword' || mode === 'verifyEmail' ? { email } : {}
}

/** Until it expires, a used verification link still shows which account it verified. */
function accountVerifiedBy({ code, user }: Found, now: Date) {
  const isSo =
    code.mode === 'verifyEmail' &&
    user.emailVerified &&
    code.email === user.email &&
    code.expiresAt > now
  return isSo ? { account: toVerifiedAccount(user) } : {}
}

export function toVerifiedAccount(user: User): VerifiedAccount {
  const { email, displayName, creationTime, claimed } = toAuthUser(user)
  return { email, displayName, creationTime, ...(claimed && { claimed }) }
}

/** Finds a verification link, even a used one, that was mailed to the present address. */
export async function findVerification(oobCode: string, visit: Visit, services: Services) {
  const found = await services.store.actionCodes.find(oobCode)
  if (!found) return refuseGuess('auth/invalid-action-code', visit, services)
  if (found.code.mode !== 'verifyEmail' || found.code.email !== found.user.email)
    throw new Refusal('auth/invalid-action-code')
  if (found.code.expiresAt <= services.now()) throw new Refusal('auth/expired-action-code')
  return found
}

/** A thief may use a later link: the owner can undo that with an earlier one, which stays valid. */
export const undoing: ActionCodeMode[] = ['recoverEmail', 'secureAccount']

/** Refuses an address that a mailed link can still give back to another account, its former one. */
export async function refuseReserved(
  { email, reason, except = '' }: { email: string; reason: Reason; except?: string },
  { store, now }: Services,
) {
  if (await store.actionCodes.isReserved({ email, modes: undoing, except, now: now() }))
    throw new Refusal(reason)
}

/** Of several concurrent callers only one succeeds. The caller has locked the user's row. */
export async function consumeCode(
  oobCode: string,
  { userId, mode }: Code,
  { store, now }: Services,
) {
  if (!(await store.actionCodes.consume(oobCode, now())))
    throw new Refusal('auth/invalid-action-code')
  if (!undoing.includes(mode)) await store.actionCodes.endAllOf(userId, [mode], now())
}
