import type { Reason } from '#contract/refusals.ts'
import { Refusal } from '../../platform/refusal.ts'

/**
 * What Firebase Auth's error codes mean here. A code that is missing tells of a mistake in the project's configuration (a wrong key, a
 * sign-in method that is turned off); nobody who signs in can do anything about it, so it counts as our own failure and is logged.
 */
export const reasons: Readonly<Record<string, Reason>> = {
  // An unknown address must look like a wrong password.
  EMAIL_NOT_FOUND: 'auth/invalid-credential',
  USER_NOT_FOUND: 'auth/invalid-credential',
  INVALID_PASSWORD: 'auth/invalid-credential',
  INVALID_LOGIN_CREDENTIALS: 'auth/invalid-credential',
  MISSING_PASSWORD: 'auth/invalid-credential',
  USER_DISABLED: 'auth/user-disabled',

  EMAIL_EXISTS: 'auth/email-already-in-use',
  DUPLICATE_EMAIL: 'auth/email-already-in-use',
  INVALID_EMAIL: 'auth/invalid-email',
  MISSING_EMAIL: 'auth/invalid-email',
  WEAK_PASSWORD: 'auth/password-does-not-meet-requirements',
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: 'auth/password-does-not-meet-requirements',

  TOO_MANY_ATTEMPTS_TRY_LATER: 'auth/too-many-requests',
  RESET_PASSWORD_EXCEED_LIMIT: 'auth/too-many-requests',
  OPERATION_NOT_ALLOWED: 'auth/operation-not-allowed',

  EXPIRED_OOB_CODE: 'auth/expired-action-code',
  INVALID_OOB_CODE: 'auth/invalid-action-code',

  CREDENTIAL_TOO_OLD_LOGIN_AGAIN: 'auth/requires-recent-login',
  TOKEN_EXPIRED: 'sessionEnded',
  INVALID_ID_TOKEN: 'sessionEnded',

  INTERNAL_ERROR: 'unavailable',
  QUOTA_EXCEEDED: 'unavailable',
}

/** A refusal that remembers what Firebase called it. Callers never see the code. */
export class FirebaseRefusal extends Refusal {
  readonly code: string

  constructor(reason: Reason, code: string) {
    super(reason)
    this.code = code
  }
}

export function isFirebaseRefusal(error: unknown, code: string) {
  return error instanceof FirebaseRefusal && error.code === code
}

/** What to throw for an answer that is no success. Nothing of Firebase's sentences is passed on, only the code. */
export function toError(status: number, body: unknown): Error {
  const code = codeOf(body)
  const reason = Object.hasOwn(reasons, code)
    ? reasons[code]
    : status === 429 || status >= 500
      ? 'unavailable'
      : undefined
  return reason
    ? new FirebaseRefusal(reason, code)
    : new Error(`Firebase Auth answered ${status} ${code}`)
}

/** `WEAK_PASSWORD : Password should be …` begins with the code; errors of Google's own front have a sentence and a status instead. */
function codeOf(body: unknown) {
  const { message, status } =
    (body as { error?: { message?: unknown; status?: unknown } } | undefined)?.error ?? {}
  return (
    [message, status]
      .map((text) => /^[A-Z][A-Z_]+(?= : |:|$)/.exec(String(text))?.[0])
      .find(Boolean) ?? ''
  )
}
