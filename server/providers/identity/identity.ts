import type { LanguageCode } from '#config/languages.ts'
import type { ActionCodeMode } from '#contract/entities.ts'
import type { User } from '../../store/users.ts'

/** Accounts and their credentials, in the vocabulary of Firebase Auth. Refuses with the `auth/…` reasons. */
export type Identity = {
  /** Creates an account and mails the verification link. Refused: `auth/email-already-in-use`. */
  signUp(account: { email: string; password: string; displayName: string; language: LanguageCode | null }): Promise<User>
  /** Refused: `auth/invalid-credential`, for a wrong password and an unknown address alike. */
  signIn(email: string, password: string): Promise<User>
  sendVerificationEmail(user: { uid: string }): Promise<void>
  /** An unknown address succeeds and sends nothing. */
  sendPasswordResetEmail(email: string): Promise<void>
  /** What a code is for. Refused: `auth/invalid-action-code`, `auth/expired-action-code`. */
  checkActionCode(code: string): Promise<{ mode: ActionCodeMode; email: string }>
  /** Uses up a code that needs nothing more than itself. Refused like `checkActionCode`. */
  applyActionCode(code: string): Promise<void>
  /** Sets the password and ends every session of the account. Refused like `checkActionCode`. */
  confirmPasswordReset(code: string, newPassword: string): Promise<void>
  updateProfile(uid: string, changes: { displayName: string }): Promise<void>
}
