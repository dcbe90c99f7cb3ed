import type { Reason } from '#contract/refusals.ts'
import { Refusal } from '../../platform/refusal.ts'

/**
 * What Firebase Auth's error codes mean here. Codes about its action codes and ID tokens are
 * missing: those are ours. Any other code comes from a mistake in the project's configuration (a
 * wrong key, a sign-in method that is turned off). People who sign in can't mend that, so it is
 * logged and answered as `internal`.
 */
const reasons: Readonly<Record<string, Reason>> = {
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
  OPERATION_NOT_ALLOWED: 'auth/operation-not-allowed',

  INTERNAL_ERROR: 'unavailable',
  QUOTA_EXCEEDED: 'unavailable',
}

/** A refusal with Firebase's code, which callers never see. */
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

/** The error for a failed request. It holds Firebase's code and none of its sentences. */
export function toError(status: number, body: unknown): Error {
  const code = codeOf(body)
  const isBusy = status === 429 || status >= 500
  const reason = reasons[code] ?? (isBusy && 'unavailable')
  return reason
    ? new FirebaseRefusal(reason, code)
    : new Error(`Firebase Auth answered ${status} ${code}`)
}

/**
 * `WEAK_PASSWORD : Password should be …` begins with the code. Errors of Google's front end have a
 * sentence, and a status that serves as the code.
 */
function codeOf(body: unknown) {
  const { message, status } =
    (body as { error?: { message?: unknown; status?: unknown } } | undefined)?.error ?? {}
  return (
    [message, status]
      .map((text) => /^[A-Z][A-Z_]+(?= : |:|$)/.exec(String(text))?.[0])
      .find(Boolean) ?? ''
  )
}
