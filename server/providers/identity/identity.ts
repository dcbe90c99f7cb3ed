import type { User } from '../../store/users.ts'

/** A password as the provider takes it. Made by `preparePassword` alone. */
export type PreparedPassword = string & { readonly [prepared]: true }
declare const prepared: unique symbol

/** Hashes wait in one queue per caller: the signed-in account, or the visitor's network. */
export type Caller = string

type Account = {
  email: string
  emailVerified: boolean
  displayName: string
  password?: PreparedPassword
}

/**
 * Accounts and their credentials, in the vocabulary of Firebase Auth. Sessions, action codes and
 * mails are the product's own, the same with every provider: see
 * docs/decisions/006-identity-seam.md. Refuses with the `auth/…` reasons.
 */
export type Identity = {
  /**
   * Checks a new password, and hashes it unless the provider does. That takes long, so it comes
   * before any transaction. Refused: `auth/password-does-not-meet-requirements`, `unavailable`.
   */
  preparePassword(
    password: string,
    of: { email: string; caller: Caller },
  ): Promise<PreparedPassword>
  /**
   * Creates the account of our user row `uid`. Refused: `auth/email-already-in-use`,
   * `auth/password-does-not-meet-requirements`.
   */
  createUser(account: Account & { uid: string }): Promise<void>
  /**
   * Returns the user row, brought up to date. Refused: `auth/invalid-credential`, for a wrong
   * password and an unknown address alike; `auth/user-disabled`, `unavailable`.
   */
  signInWithPassword(email: string, password: string, caller: Caller): Promise<User>
  /** Refused: `auth/email-already-in-use`, `auth/password-does-not-meet-requirements`. */
  updateUser(uid: string, changes: Partial<Account>): Promise<void>
  /** People who only use a sign-in provider have none. */
  hasPassword(uid: string): Promise<boolean>
  /** Leaves the account without a password. */
  removePassword(uid: string): Promise<void>
  deleteUser(uid: string): Promise<void>
}
