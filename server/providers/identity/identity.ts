import type { User } from '../../store/users.ts'

/** A checked password in the form that the other methods take. Only `preparePassword` makes one. */
export type PreparedPassword = string & { readonly [prepared]: true }
declare const prepared: unique symbol

/** Who needs a hash: the user's id, or else the visitor's network. Callers take turns. */
export type Caller = string

type Account = {
  email: string
  emailVerified: boolean
  displayName: string
  password?: PreparedPassword
}

/**
 * Keeps accounts and their credentials, in Firebase Auth's words. Sessions, action codes and mails
 * are the same with every provider: see docs/decisions/006-identity-seam.md.
 */
export type Identity = {
  /**
   * Checks a new password, and hashes it unless the provider does. That takes long, so callers do
   * it before a transaction. May refuse with `auth/password-does-not-meet-requirements`.
   */
  preparePassword(
    password: string,
    of: { email: string; caller: Caller },
  ): Promise<PreparedPassword>
  /** Refuses with `auth/email-already-in-use` or `auth/password-does-not-meet-requirements`. */
  createUser(account: Account & { uid: string }): Promise<void>
  /** Returns the up-to-date row. Refuses with `auth/invalid-credential` or `auth/user-disabled`. */
  signInWithPassword(email: string, password: string, caller: Caller): Promise<User>
  /** Refuses with `auth/email-already-in-use` or `auth/password-does-not-meet-requirements`. */
  updateUser(uid: string, changes: Partial<Account>): Promise<void>
  /** Returns false for people who can sign in only through a sign-in provider. */
  hasPassword(uid: string): Promise<boolean>
  removePassword(uid: string): Promise<void>
  deleteUser(uid: string): Promise<void>
}
