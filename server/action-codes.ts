import { limits } from '#config/limits.ts'
import type { ActionCodeMode } from '#contract/entities.ts'
import type { SecurityChange } from './mails/mails.ts'
import { Refusal } from './refusal.ts'
import type { Services } from './services.ts'
import { after } from './sessions.ts'
import { newToken } from './store/ids.ts'
import type { User } from './store/users.ts'

type MailedBy = Pick<Services, 'store' | 'jobs' | 'now'>

/** Mails a fresh code; the earlier ones of its kind end. */
export async function mailVerification(user: User, services: MailedBy) {
  await mailCode(user, 'verifyEmail', services)
}

export async function mailPasswordReset(user: User, services: MailedBy) {
  await mailCode(user, 'resetPassword', services)
}

/** To the new address, which has to prove itself before anything changes. The link ends with the session that asked, if that is revoked. */
export async function mailEmailChange(user: User, newEmail: string, sessionId: string, { store, jobs, now }: MailedBy) {
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

/** Says what was changed, with a link for whoever did not do it. */
export async function mailSecurityNotice(user: User, change: SecurityChange, { store, jobs, now }: MailedBy) {
  const code = await issue(user, 'secureAccount', user.email, { store, now })
  await jobs.add('sendMail', {
    mail: 'securityNotice',
    to: user.email,
    language: user.language,
    values: { name: user.displayName, code, change },
  })
}

/** A code that can still be used, with its user. */
export async function findCode(code: string, { store, now }: Pick<Services, 'store' | 'now'>, mode?: ActionCodeMode) {
  const found = await store.actionCodes.find(code)
  if (!found || found.code.endedAt || (mode && found.code.mode !== mode)) throw new Refusal('auth/invalid-action-code')
  if (found.code.expiresAt <= now()) throw new Refusal('auth/expired-action-code')
  return found
}

/** Uses the code up, for exactly one of several callers. */
export async function consumeCode(code: string, { store, now }: Pick<Services, 'store' | 'now'>) {
  if (!(await store.actionCodes.consume(code, now()))) throw new Refusal('auth/invalid-action-code')
}

async function mailCode(user: User, mode: 'verifyEmail' | 'resetPassword', { store, jobs, now }: MailedBy) {
  const code = await issue(user, mode, user.email, { store, now })
  await jobs.add('sendMail', { mail: mode, to: user.email, language: user.language, values: { name: user.displayName, code } })
}

/**
 * Links that undo something stay good beside newer ones: else a thief who changes an address twice would end the recovery link of the
 * first change with the second.
 */
const undoing: ReadonlySet<ActionCodeMode> = new Set(['recoverEmail', 'secureAccount'])

async function issue(
  user: User,
  mode: ActionCodeMode,
  email: string,
  { store, now }: Pick<Services, 'store' | 'now'>,
  sessionId: string | null = null,
) {
  const code = newToken()
  if (!undoing.has(mode)) await store.actionCodes.endAllOf(user.id, [mode], now())
  await store.actionCodes.add({
    code,
    userId: user.id,
    mode,
    email,
    sessionId,
    now: now(),
    expiresAt: after(now(), limits.actionCodes[mode]),
  })
  return code
}
