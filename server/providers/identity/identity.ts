import type { User } from '../../store/users.ts'

export type NewAccount = { uid: string; email: string; emailVerified: boolean; displayName: string; password?: string | undefined }

/**
 * Accounts and their credentials, in the vocabulary of Firebase Auth. Sessions, action codes and mails are the product's own and the same
 * with every provider. Refuses with the `auth/…` reasons.
 */
export type Identity = {
  /** Creates the account that our user row `uid` stands for. Refused: `auth/email-already-in-use`, `auth/password-does-not-meet-requirements`. */
  createUser(account: NewAccount): Promise<void>
  /**
   * The user row, which is brought up to date. Refused: `auth/invalid-credential`, for a wrong password and an unknown address alike;
   * `auth/user-disabled`.
   */
  signInWithPassword(email: string, password: string): Promise<User>
  /** Refused: `auth/email-already-in-use`, `auth/password-does-not-meet-requirements`. */
  updateUser(uid: string, changes: { email?: string; emailVerified?: boolean; displayName?: string; password?: string }): Promise<void>
  /** Whether the account can be signed in to with a password; people who only use a sign-in provider have none. */
  hasPassword(uid: string): Promise<boolean>
  /** Nobody gets in with the present password any more, and none takes its place. */
  removePassword(uid: string): Promise<void>
  deleteUser(uid: string): Promise<void>
}
