import type { User } from '../../store/users.ts'

/** A password as the provider takes it. Made by `preparePassword` alone. */
export type PreparedPassword = string & { readonly [prepared]: true }
declare const prepared: unique symbol

/** Who asks for a hash: the account that is signed in, or the visitor's network. Callers who wait take turns. */
export type Caller = string

export type NewAccount = {
  uid: string
  email: string
  emailVerified: boolean
  displayName: string
  password?: PreparedPassword | undefined
}

/**
 * Accounts and their credentials, in the vocabulary of Firebase Auth. Sessions, action codes and mails are the product's own and the same
 * with every provider. Refuses with the `auth/…` reasons.
 */
export type Identity = {
  /**
   * Checks a new password of the person with this address, and hashes it where that is ours to do. That takes long, so it comes before any
   * transaction. Refused: `auth/password-does-not-meet-requirements`, `unavailable`.
   */
  preparePassword(
    password: string,
    of: { email: string; caller: Caller },
  ): Promise<PreparedPassword>
  /** Creates the account that our user row `uid` stands for. Refused: `auth/email-already-in-use`, `auth/password-does-not-meet-requirements`. */
  createUser(account: NewAccount): Promise<void>
  /**
   * The user row, which is brought up to date. Refused: `auth/invalid-credential`, for a wrong password and an unknown address alike;
   * `auth/user-disabled`, `unavailable`.
   */
  signInWithPassword(email: string, password: string, caller: Caller): Promise<User>
  /** Refused: `auth/email-already-in-use`, `auth/password-does-not-meet-requirements`. */
  updateUser(
    uid: string,
    changes: {
      email?: string
      emailVerified?: boolean
      displayName?: string
      password?: PreparedPassword
    },
  ): Promise<void>
  /** Whether the account can be signed in to with a password; people who only use a sign-in provider have none. */
  hasPassword(uid: string): Promise<boolean>
  /** Nobody gets in with the present password any more, and none takes its place. */
  removePassword(uid: string): Promise<void>
  deleteUser(uid: string): Promise<void>
}
