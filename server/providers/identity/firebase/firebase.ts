import { tidyAddress } from '#contract/mail-address.ts'
import { tidyName } from '#contract/names.ts'
import type { Logger } from 'pino'
import { pseudonym, type KeyedHash } from '../../../platform/keyed-hash.ts'
import { unobserved, type Observer } from '../../../observe/observer.ts'
import { isRefusal, Refusal } from '../../../platform/refusal.ts'
import type { Store } from '../../../store/store.ts'
import type { User } from '../../../store/users.ts'
import { watchedFetch } from '../../watched-fetch.ts'
import { isFirebaseRefusal } from './errors.ts'
import type { FirebaseSettings } from './settings.ts'
import type { IsBreached } from '../breached-passwords.ts'
import type { Identity, IdentityProvider, PreparedPassword } from '../identity.ts'
import {
  openIdentityToolkit,
  type FirebaseAccount,
  type FirebaseChanges,
  type IdentityToolkit,
} from './identity-toolkit.ts'
import { acceptPassword, normalize } from '../password-rules.ts'
import { ask, askOutside, type Changed } from './outside.ts'

type Services = {
  store: Store
  log: Logger
  keyedHash: KeyedHash
  now: () => Date
  isBreached: IsBreached
}

/** An account at Firebase has our user's id, and the user's row is a copy of it. */
export function connectFirebase(
  settings: FirebaseSettings,
  log: Logger,
  observer: Observer = unobserved,
): IdentityProvider<Services> {
  const fetch = watchedFetch('firebase', observer, (path) => path.split('/').at(-1)!)
  const firebase = openIdentityToolkit(settings, { log, fetch })
  return {
    open: (services) => openFirebaseIdentity(firebase, services),
    aroundTransaction: (transaction, { store }) =>
      askOutside(transaction, (changed) =>
        makeAsRow(changed, store, firebase).catch((err: unknown) => {
          log.warn({ err }, 'Firebase is ahead of a change that was refused here')
        }),
      ),
  }
}

/** A password that was refused here is removed, because the former one is not known. */
async function makeAsRow({ uid, password }: Changed, store: Store, firebase: IdentityToolkit) {
  const row = await store.users.find(uid)
  if (!row) return firebase.remove(uid).catch(unlessUnknown)
  const { email, emailVerified, displayName, disabled } = row
  const account = { email, emailVerified, displayName, disabled }
  const removing = password ? { deleteAttribute: ['PASSWORD' as const] } : {}
  await firebase.update(uid, { ...account, ...removing }).catch(unlessUnknown)
}

function openFirebaseIdentity(
  firebase: IdentityToolkit,
  { store, log, keyedHash, now, isBreached }: Services,
): Identity {
  /** Accounts made outside this product may have a password that was never normalized. */
  async function signIn(email: string, typed: string) {
    const password = normalize(typed)
    return firebase.signInWithPassword(email, password).catch((error: unknown) => {
      if (password === typed || !isRefusal(error, 'auth/invalid-credential')) throw error
      return firebase.signInWithPassword(email, typed)
    })
  }

  /** A user who signed up before the product used Firebase has no account there yet. */
  async function updateOrCreate(uid: string, row: User | undefined, changes: FirebaseChanges) {
    try {
      await firebase.update(uid, changes)
    } catch (error) {
      if (!isFirebaseRefusal(error, 'USER_NOT_FOUND')) throw error
      if (!row) throw new Error(`There is no user ${uid} to make an account for`, { cause: error })
      const { email, emailVerified, displayName, disabled } = row
      const account = { localId: uid, email, emailVerified, displayName, disabled }
      await firebase.create({ ...account, ...changes })
    }
  }

  /** Depends on the row too: what others have changed meanwhile, Firebase has to hear after them. */
  async function change(
    uid: string,
    what: 'deleted' | 'no password' | FirebaseChanges,
    send: (row: User | undefined) => Promise<unknown>,
  ) {
    const row = await store.users.find(uid)
    const seen = row && [row.email, row.emailVerified, row.credentialsVersion]
    const password = typeof what === 'object' && what.password !== undefined
    const changes = { uid, password }
    await ask({ question: [uid, what, seen], changes, send: () => send(row) })
  }

  /** Adds our row for an account that was created outside this product, as in Firebase's console. */
  async function addUser(account: FirebaseAccount): Promise<User> {
    const { disabled: _, ...fields } = fieldsOf(account)
    const displayName = fields.displayName || fields.email.split('@')[0]!
    const id = account.localId
    const claimed = fields.emailVerified
    const row = { id, ...fields, claimed, displayName, language: null, now: now() }
    return (await store.users.add(row)) ?? (await store.users.find(id)) ?? refuseTaken(id)
  }

  async function bringUpToDate(row: User, account: FirebaseAccount): Promise<User> {
    const fields = fieldsOf(account)
    fields.displayName ||= row.displayName
    if (Object.entries(fields).every(([field, value]) => row[field as keyof User] === value))
      return row
    const changed = await store.users.copyAccount(row, fields, now())
    if (changed) return changed
    const holder = await store.users.findByEmail(fields.email)
    if (holder && holder.id !== row.id) return refuseTaken(row.id)
    // Another call has just changed the row and the Firebase account, so the row is up to date.
    return (await store.users.find(row.id)) ?? refuseTaken(row.id)
  }

  /** A database trigger then ends the sessions of a disabled user. */
  async function disable(email: string) {
    const account = await firebase.find({ email: [email] })
    const row = account && (await store.users.find(account.localId))
    if (row) await bringUpToDate(row, account)
  }

  /** The operator has to decide in Firebase's console which of two accounts has the address. */
  function refuseTaken(uid: string): never {
    log.warn(
      { user: pseudonym(keyedHash, uid) },
      'the address of an account at Firebase Auth belongs to another user here',
    )
    throw new Refusal('auth/email-already-in-use')
  }

  return {
    /** Returns the password unhashed, because Firebase hashes it. */
    async preparePassword(password, { email }) {
      return (await acceptPassword(password, email, isBreached)) as PreparedPassword
    },

    createUser: ({ uid, ...account }) =>
      change(uid, account, () => firebase.create({ localId: uid, ...account })),

    async signInWithPassword({ email, user: before }, password) {
      const { localId, idToken } = await signIn(email, password).catch(async (error: unknown) => {
        if (isFirebaseRefusal(error, 'USER_DISABLED')) await disable(email)
        throw error
      })
      if (idToken === undefined)
        throw new Error(`Firebase Auth asks ${localId} for a second factor, which is not supported`)
      // Reads our row before Firebase's account, so that the account is never older than the row.
      const row = await store.users.find(localId)
      const account = await firebase.find({ localId: [localId] })
      if (!account) throw new Refusal('auth/invalid-credential')
      const user = await (row ? bringUpToDate(row, account) : addUser(account))
      // The version read first, so that `startSession` refuses if it changed during the check.
      return before?.id === user.id
        ? { ...user, credentialsVersion: before.credentialsVersion }
        : user
    },

    updateUser: (uid, changes) =>
      change(uid, changes, (row) => {
        // Says which address is verified: it may have changed at Firebase a moment ago.
        const email = changes.emailVerified === undefined ? undefined : row?.email
        return updateOrCreate(uid, row, { ...(email !== undefined && { email }), ...changes })
      }),

    async hasPassword({ id }) {
      const find = () => firebase.find({ localId: [id] })
      const account = (await ask({ question: [id], send: find })) as FirebaseAccount | undefined
      return account?.passwordHash !== undefined
    },

    offersFactors: false,

    removePassword: (uid) =>
      change(uid, 'no password', () =>
        firebase.update(uid, { deleteAttribute: ['PASSWORD'] }).catch(unlessUnknown),
      ),

    deleteUser: (uid) => change(uid, 'deleted', () => firebase.remove(uid).catch(unlessUnknown)),
  }
}

/** Ignores Firebase's error that the account does not exist: then there is nothing to remove. */
function unlessUnknown(error: unknown) {
  if (!isFirebaseRefusal(error, 'USER_NOT_FOUND')) throw error
}

/** Firebase's names are tidied like names that people type into the app. */
function fieldsOf({ localId, email, emailVerified, displayName, disabled }: FirebaseAccount) {
  if (!email) throw new Error(`The account ${localId} at Firebase Auth has no e-mail address`)
  return {
    email: tidyAddress(email),
    emailVerified: emailVerified ?? false,
    displayName: tidyName(displayName ?? ''),
    disabled: disabled ?? false,
  }
}
