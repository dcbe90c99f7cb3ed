import type { User } from '../../store/users.ts'

/** A checked password in the form that the other methods take. Only `preparePassword` makes one. */
export type PreparedPassword = string & { readonly [prepared]: true }
declare const prepared: unique symbol

/**
 * Who needs a hash: the id of the signed-in user, or else the visitor's network. Callers take
 * turns, so that one caller's many hashes hardly delay the others.
 */
export type Caller = string

type Account = {
  email: string
  emailVerified: boolean
  displayName: string
  password?: PreparedPassword
}

/**
 * An identity provider, which keeps accounts and their credentials. Its methods are named as in
 * Firebase Auth. Sessions, action codes and mails are not its task, so they are the same with every
 * provider: see docs/decisions/006-identity-seam.md. Most of its refusals have `auth/…` reasons.
 */
export type Identity = {
  /**
   * Checks a new password, and hashes it unless the provider hashes it later. Hashing takes long,
   * so callers prepare the password before they open a transaction. Refuses with
   * `auth/password-does-not-meet-requirements` or `unavailable`.
   */
  preparePassword(
    password: string,
    of: { email: string; caller: Caller },
  ): Promise<PreparedPassword>
  /**
   * Creates the account for our user row with the id `uid`. Refuses with
   * `auth/email-already-in-use` or `auth/password-does-not-meet-requirements`.
   */
  createUser(account: Account & { uid: string }): Promise<void>
  /**
   * Checks a password and returns the up-to-date user row. Refuses a wrong password and an unknown
   * address with `auth/invalid-credential`, and a disabled user with `auth/user-disabled`. May
   * refuse with `unavailable`.
   */
  signInWithPassword(email: string, password: string, caller: Caller): Promise<User>
  /** Refuses with `auth/email-already-in-use` or `auth/password-does-not-meet-requirements`. */
  updateUser(uid: string, changes: Partial<Account>): Promise<void>
  /** Returns false for people who can sign in only through a sign-in provider. */
  hasPassword(uid: string): Promise<boolean>
  removePassword(uid: string): Promise<void>
  deleteUser(uid: string): Promise<void>
}
