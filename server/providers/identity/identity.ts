import type { Credentials, User, UserRecord } from '../../store/users.ts'

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
  /** Our row has it too, and the caller writes it there. */
  disabled?: boolean
}

/** Keeps accounts and credentials, but no sessions: see docs/decisions/006-identity-seam.md. */
export type Identity = {
  /** Hashing takes long, so callers prepare the password before they open a transaction. */
  preparePassword(
    password: string,
    of: { email: string; caller: Caller },
  ): Promise<PreparedPassword>
  /** Refuses with `auth/email-already-in-use` or `auth/password-does-not-meet-requirements`. */
  createUser(account: Account & { uid: string }): Promise<void>
  /**
   * Checks a password for the account whose stored credentials these are. Returns the up-to-date
   * row. Refuses with `auth/invalid-credential` or `auth/user-disabled`.
   */
  signInWithPassword(stored: Credentials, password: string, caller: Caller): Promise<User>
  /** Refuses with `auth/email-already-in-use` or `auth/password-does-not-meet-requirements`. */
  updateUser(uid: string, changes: Partial<Account>): Promise<void>
  /** Returns false for people who can sign in only through a sign-in provider. */
  hasPassword(user: UserRecord): Promise<boolean>
  /** Stores hashes that another system made. Missing if passwords are not kept here. */
  keepHashes?(hashes: { userId: string; hash: string }[]): Promise<void>
  /** Whether people here can add factors of ours to sign in with. */
  offersFactors: boolean
  removePassword(uid: string): Promise<void>
  deleteUser(uid: string): Promise<void>
}

/** Where accounts are kept. */
export type IdentityProvider<Services> = {
  open: (services: Services) => Identity
  /** Runs a transaction. A provider that is asked over a network has to be asked outside of it. */
  aroundTransaction?: <Answer>(
    transaction: () => Promise<Answer>,
    services: Services,
  ) => Promise<Answer>
}
