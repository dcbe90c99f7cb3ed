import { tidyName } from '#contract/names.ts'
import type { Logger } from 'pino'
import { pseudonym, type KeyedHash } from '../../platform/keyed-hash.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Store } from '../../store/store.ts'
import type { User } from '../../store/users.ts'
import { isFirebaseRefusal } from './firebase-errors.ts'
import type { FirebaseSettings } from './firebase-settings.ts'
import type { Identity, PreparedPassword } from './identity.ts'
import {
  openIdentityToolkit,
  type FirebaseAccount,
  type FirebaseChanges,
  type IdentityToolkit,
} from './identity-toolkit.ts'
import { acceptPassword, normalize } from './password-rules.ts'

type Services = { store: Store; log: Logger; keyedHash: KeyedHash; now: () => Date }

/** Accounts in Firebase Auth, under the ids of our own users. What Firebase says of a person counts; the user row is a copy. */
export function connectFirebase(settings: FirebaseSettings, log: Logger) {
  const firebase = openIdentityToolkit(settings, log)
  return (services: Services) => openFirebaseIdentity(firebase, services)
}

function openFirebaseIdentity(firebase: IdentityToolkit, services: Services): Identity {
  const { store } = services
  return {
    /** Google hashes it. */
    async preparePassword(password, { email }) {
      return acceptPassword(password, email) as PreparedPassword
    },

    async createUser({ uid, password, ...account }) {
      await firebase.create({
        localId: uid,
        ...account,
        ...(password !== undefined && { password }),
      })
    },

    async signInWithPassword(email, password) {
      // Before Firebase judges: what is changed from here on makes the sign-in one by former credentials.
      const before = await store.users.findByEmail(email)
      const { localId, idToken } = await signIn(email, password, firebase).catch(
        async (error: unknown) => {
          if (isFirebaseRefusal(error, 'USER_DISABLED')) await disable(email, firebase, services)
          throw error
        },
      )
      if (idToken === undefined)
        throw new Error(`Firebase Auth asks ${localId} for a second factor, which is not supported`)
      // In this order: what we read of the row is older than what Firebase says.
      const row = await store.users.find(localId)
      const account = await firebase.find({ localId })
      if (!account) throw new Refusal('auth/invalid-credential')
      const user = await (row ? bringUpToDate(row, account, services) : addUser(account, services))
      return before?.id === user.id
        ? { ...user, credentialsVersion: before.credentialsVersion }
        : user
    },

    async updateUser(uid, changes) {
      try {
        await firebase.update(uid, changes)
      } catch (error) {
        if (!isFirebaseRefusal(error, 'USER_NOT_FOUND')) throw error
        await createFromRow(uid, changes, firebase, store)
      }
    },

    async hasPassword(uid) {
      const account = await firebase.find({ localId: uid })
      return account?.passwordHash !== undefined
    },

    async removePassword(uid) {
      await firebase.update(uid, { deleteAttribute: ['PASSWORD'] }).catch(unlessUnknown)
    },

    async deleteUser(uid) {
      await firebase.remove(uid).catch(unlessUnknown)
    },
  }
}

/** Accounts from elsewhere may have their password as it was typed. */
async function signIn(email: string, typed: string, firebase: IdentityToolkit) {
  const password = normalize(typed)
  return firebase.signInWithPassword(email, password).catch((error: unknown) => {
    if (
      password === typed ||
      !(error instanceof Refusal && error.reason === 'auth/invalid-credential')
    )
      throw error
    return firebase.signInWithPassword(email, typed)
  })
}

/** What Firebase doesn't have is gone already. */
function unlessUnknown(error: unknown) {
  if (!isFirebaseRefusal(error, 'USER_NOT_FOUND')) throw error
}

/** The user's row is older than the use of Firebase, which has no account for it: setting a new password makes one. */
async function createFromRow(
  uid: string,
  changes: FirebaseChanges,
  firebase: IdentityToolkit,
  store: Store,
) {
  const row = await store.users.find(uid)
  if (!row) throw new Error(`There is no user ${uid} to make an account for`)
  const { email, emailVerified, displayName, disabled } = row
  await firebase.create({ localId: uid, email, emailVerified, displayName, disabled, ...changes })
}

/** The account was made in Firebase's console. */
async function addUser(account: FirebaseAccount, services: Services): Promise<User> {
  const { store, now } = services
  const { localId: id } = account
  const email = addressOf(account)
  const displayName = nameOf(account) || email.split('@')[0]!
  const added = await store.users.add({
    id,
    email,
    emailVerified: account.emailVerified ?? false,
    displayName,
    language: null,
    now: now(),
  })
  return added ?? (await store.users.find(id)) ?? refuseTaken(id, services)
}

async function bringUpToDate(
  row: User,
  account: FirebaseAccount,
  services: Services,
): Promise<User> {
  const { store, now } = services
  const said = {
    email: addressOf(account),
    emailVerified: account.emailVerified ?? false,
    displayName: nameOf(account) || row.displayName,
    disabled: account.disabled ?? false,
  }
  if (Object.entries(said).every(([field, value]) => row[field as keyof typeof said] === value))
    return row
  const changed = await store.users.copyAccount(row, said, now())
  if (changed) return changed
  const holder = await store.users.findByEmail(said.email)
  if (holder && holder.id !== row.id) return refuseTaken(row.id, services)
  // Another call has changed the row in between, and the account at Firebase with it.
  return (await store.users.find(row.id)) ?? refuseTaken(row.id, services)
}

/** So that the user's sessions end: the database ends them with the change of the row. */
async function disable(email: string, firebase: IdentityToolkit, services: Services) {
  const account = await firebase.find({ email })
  const row = account && (await services.store.users.find(account.localId))
  if (row) await bringUpToDate(row, account, services)
}

/** Names that are typed into Firebase's console are as free of what is not allowed as those that are typed here. */
function nameOf({ displayName = '' }: FirebaseAccount) {
  return tidyName(displayName)
}

function addressOf({ localId, email }: FirebaseAccount) {
  if (!email) throw new Error(`The account ${localId} at Firebase Auth has no e-mail address`)
  return email.trim().toLowerCase()
}

/** Two people would share an address. The operator decides in Firebase's console which of them has it. */
function refuseTaken(uid: string, { log, keyedHash }: Services): never {
  log.warn(
    { user: pseudonym(keyedHash, uid) },
    'the address of an account at Firebase Auth belongs to another user here',
  )
  throw new Refusal('auth/email-already-in-use')
}
