import type { Reason } from '#contract/refusals.ts'
import { Refusal } from '../../../platform/refusal.ts'

/** Any other code means a wrongly configured project, which people who sign in can't fix. */
const reasons: Readonly<Record<string, Reason>> = {
  // Callers must not be able to tell an unknown address from a wrong password.
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

/** A refusal that holds Firebase's error code. Callers of the API never see the code. */
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

/** Returns the error for a failed request. It holds Firebase's code but not Firebase's message. */
export function toError(status: number, body: unknown): Error {
  const code = codeOf(body)
  const isBusy = status === 429 || status >= 500
  const reason = reasons[code] ?? (isBusy && 'unavailable')
  return reason
    ? new FirebaseRefusal(reason, code)
    : new Error(`Firebase Auth answered ${status} ${code}`)
}

/** The code of `WEAK_PASSWORD : Password should be …`. Google's front end has it in `status`. */
function codeOf(body: unknown) {
  const { message, status } =
    (body as { error?: { message?: unknown; status?: unknown } } | undefined)?.error ?? {}
  return (
    [message, status]
      .map((text) => /^[A-Z][A-Z_]+(?= : |:|$)/.exec(String(text))?.[0])
      .find(Boolean) ?? ''
  )
}
