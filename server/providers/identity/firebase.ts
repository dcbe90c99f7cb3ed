import { tidyName } from '#contract/names.ts'
import type { Logger } from 'pino'
import { pseudonym, type KeyedHash } from '../../platform/keyed-hash.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'
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

/** Accounts in Firebase Auth, with our users' ids. A user's row is a copy of the account. */
export function connectFirebase(settings: FirebaseSettings, log: Logger) {
  const firebase = openIdentityToolkit(settings, log)
  return (services: Services) => openFirebaseIdentity(firebase, services)
}

function openFirebaseIdentity(firebase: IdentityToolkit, services: Services): Identity {
  const { store } = services
  return {
    /** Firebase hashes it. */
    async preparePassword(password, { email }) {
      return acceptPassword(password, email) as PreparedPassword
    },

    async createUser({ uid, ...account }) {
      await firebase.create({ localId: uid, ...account })
    },

    async signInWithPassword(email, password) {
      // Read before Firebase checks: if the credentials change from here on, the sign-in is
      // refused.
      const before = await store.users.findByEmail(email)
      const { localId, idToken } = await signIn(email, password, firebase).catch(
        async (error: unknown) => {
          if (isFirebaseRefusal(error, 'USER_DISABLED')) await disable(email, firebase, services)
          throw error
        },
      )
      if (idToken === undefined)
        throw new Error(`Firebase Auth asks ${localId} for a second factor, which is not supported`)
      // The row first, so that it is older than Firebase's answer.
      const row = await store.users.find(localId)
      const account = await firebase.find({ localId: [localId] })
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
      const account = await firebase.find({ localId: [uid] })
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

/** Accounts made elsewhere may have their password as it was typed. */
async function signIn(email: string, typed: string, firebase: IdentityToolkit) {
  const password = normalize(typed)
  return firebase.signInWithPassword(email, password).catch((error: unknown) => {
    if (password === typed || !isRefusal(error, 'auth/invalid-credential')) throw error
    return firebase.signInWithPassword(email, typed)
  })
}

/** For removals: there is nothing left to remove. */
function unlessUnknown(error: unknown) {
  if (!isFirebaseRefusal(error, 'USER_NOT_FOUND')) throw error
}

/** A user from before the use of Firebase gets an account there with a new password. */
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

/** For an account that was made in Firebase's console. */
async function addUser(account: FirebaseAccount, services: Services): Promise<User> {
  const { store, now } = services
  const { disabled: _, ...fields } = fieldsOf(account)
  const displayName = fields.displayName || fields.email.split('@')[0]!
  const id = account.localId
  const row = { id, ...fields, displayName, language: null, now: now() }
  return (await store.users.add(row)) ?? (await store.users.find(id)) ?? refuseTaken(id, services)
}

async function bringUpToDate(
  row: User,
  account: FirebaseAccount,
  services: Services,
): Promise<User> {
  const { store, now } = services
  const fields = fieldsOf(account)
  fields.displayName ||= row.displayName
  if (Object.entries(fields).every(([field, value]) => row[field as keyof User] === value))
    return row
  const changed = await store.users.copyAccount(row, fields, now())
  if (changed) return changed
  const holder = await store.users.findByEmail(fields.email)
  if (holder && holder.id !== row.id) return refuseTaken(row.id, services)
  // Another call has changed the row in between, and the account at Firebase with it.
  return (await store.users.find(row.id)) ?? refuseTaken(row.id, services)
}

/** Copies "disabled" into the row; the database then ends the user's sessions. */
async function disable(email: string, firebase: IdentityToolkit, services: Services) {
  const account = await firebase.find({ email: [email] })
  const row = account && (await services.store.users.find(account.localId))
  if (row) await bringUpToDate(row, account, services)
}

/** Our columns. Names from Firebase's console are tidied like names typed here. */
function fieldsOf({ localId, email, emailVerified, displayName, disabled }: FirebaseAccount) {
  if (!email) throw new Error(`The account ${localId} at Firebase Auth has no e-mail address`)
  return {
    email: email.trim().toLowerCase(),
    emailVerified: emailVerified ?? false,
    displayName: tidyName(displayName ?? ''),
    disabled: disabled ?? false,
  }
}

/** Two users would share an address; the operator decides in Firebase's console who has it. */
function refuseTaken(uid: string, { log, keyedHash }: Services): never {
  log.warn(
    { user: pseudonym(keyedHash, uid) },
    'the address of an account at Firebase Auth belongs to another user here',
  )
  throw new Refusal('auth/email-already-in-use')
}
