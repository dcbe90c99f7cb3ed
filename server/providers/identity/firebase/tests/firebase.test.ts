// Only `npm run test:firebase` runs this file, because it needs Google's emulator.
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '../../../../../tests/database.ts'
import { anEmulator, emulatorSettings } from './emulator.ts'
import { openKeyedHash } from '../../../../platform/keyed-hash.ts'
import { openDatabase } from '../../../../sql/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { openStore } from '../../../../store/store.ts'
import { anAddress, identityContract } from '../../../../../tests/contracts/identity.ts'
import { expectRefused } from '../../../../../tests/refusal-of.ts'
import { connectFirebase } from '../firebase.ts'

const password = 'correct horse'
const caller = '203.0.113.7'
const emulator = anEmulator()
const log = pino({ level: 'silent' })

identityContract('Firebase Auth', aHouse)

identityContract('Firebase Auth with enumeration protection', async () => {
  await emulator.protectAddresses(true)
  onTestFinished(() => emulator.protectAddresses(false))
  return aHouse()
})

test('an account that was created in the Firebase console becomes a user at its first sign-in', async () => {
  const { store, signIn } = await aHouse()
  const [id, email] = [newId(), anAddress()]
  await emulator.create({ localId: id, email, password, emailVerified: true })
  const first = await signIn(email)
  expect(first).toMatchObject({ id, email, emailVerified: true, displayName: email.split('@')[0] })
  expect(await signIn(email)).toEqual(first)
  expect(await store.users.find(id)).toEqual(first)
})

test('several first sign-ins to a Firebase account at once create one user', async () => {
  const { signIn } = await aHouse()
  const [localId, email] = [newId(), anAddress()]
  await emulator.create({ localId, email, password })
  const users = await Promise.all([1, 2, 3, 4].map(() => signIn(email)))
  expect(users.map(({ id }) => id)).toEqual([localId, localId, localId, localId])
})

test('changes of an account in the Firebase console are copied at the next sign-in', async () => {
  const { store, signIn, aUser } = await aHouse()
  const { uid } = await aUser()
  const changed = { email: anAddress(), emailVerified: true }
  await emulator.update(uid, { ...changed, displayName: 'Ann of\u200B the Console' })
  const user = await signIn(changed.email)
  expect(user).toMatchObject({ id: uid, ...changed, displayName: 'Ann of the Console' })
  expect(await store.users.find(uid)).toEqual(user)
})

test('an email address that was changed in the Firebase console counts as unverified', async () => {
  const { store, signIn, aUser } = await aHouse()
  const { uid } = await aUser()
  await store.users.markVerified({ id: uid, now: new Date() })
  const changed = { email: anAddress(), emailVerified: false }
  await emulator.update(uid, changed)
  expect(await signIn(changed.email)).toMatchObject(changed)
})

test('disabling or enabling an account in the Firebase console takes effect at the next sign-in', async () => {
  const { store, signIn, disable, aUser } = await aHouse()
  const { uid, email } = await aUser()
  await disable(uid)
  await expectRefused(signIn(email), 'auth/user-disabled')
  expect(await store.users.find(uid)).toMatchObject({ disabled: true })
  await emulator.update(uid, { disableUser: false })
  expect(await signIn(email)).toMatchObject({ disabled: false })
})

test('a user who existed before the switch to Firebase gets a Firebase account when they set a new password', async () => {
  const { identity, store, signIn, aRow, prepare } = await aHouse()
  const { id, email } = await aRow({ emailVerified: true, displayName: 'Ann Early' })
  expect(await identity.hasPassword((await store.users.findRecord(id))!)).toBe(false)
  await identity.updateUser(id, { password: await prepare(email) })
  const early = { id, emailVerified: true, displayName: 'Ann Early' }
  expect(await signIn(email)).toMatchObject(early)
})

test('nobody can sign up with, or change to, the email address of an account in the Firebase console', async () => {
  const { identity, aUser } = await aHouse()
  const email = anAddress()
  await emulator.create({ localId: newId(), email, password })
  await expectRefused(aUser({ email }), 'auth/email-already-in-use')
  const { uid } = await aUser()
  await expectRefused(identity.updateUser(uid, { email }), 'auth/email-already-in-use')
})

test('a Firebase account with the email address of an existing user gives no access to that user’s data', async () => {
  const { store, signIn, aRow } = await aHouse()
  const row = await aRow({ emailVerified: true })
  const { id, email } = row
  await emulator.create({ localId: newId(), email, password, emailVerified: true })
  await expectRefused(signIn(email), 'auth/email-already-in-use')
  expect(await store.users.find(id)).toEqual(row)
})

test('a Firebase account that was changed to another user’s email address can’t sign in', async () => {
  const { signIn, aRow, aUser } = await aHouse()
  const { uid } = await aUser()
  const { email } = await aRow({ emailVerified: true })
  await emulator.update(uid, { email })
  await expectRefused(signIn(email), 'auth/email-already-in-use')
})

test('a sign-in with a password only is refused if the Firebase account has a second factor', async () => {
  const { signIn, aUser } = await aHouse()
  await emulator.allowSecondFactors()
  const { uid, email } = await aUser()
  const enrollments = [{ mfaEnrollmentId: 'phone', phoneInfo: '+12175550100' }]
  await emulator.update(uid, { emailVerified: true, mfa: { enrollments } })
  await expect(signIn(email)).rejects.toThrow(/second factor/)
})

async function aHouse() {
  const { pool } = await aDatabase()
  const store = openStore(openDatabase(pool))
  const services = {
    store,
    log,
    keyedHash: openKeyedHash('key'),
    now: () => new Date(),
    isBreached: async () => false,
  }
  const identity = connectFirebase(emulatorSettings, log).open(services)
  const prepare = (email: string) => identity.preparePassword(password, { email, caller })
  const signIn = async (email: string) =>
    identity.signInWithPassword(await store.users.findCredentials(email), password, caller)
  const disable = (uid: string) => emulator.update(uid, { disableUser: true })

  /** Adds a user who has no account at Firebase. */
  async function aRow(given: { email?: string; emailVerified?: boolean; displayName?: string }) {
    const row = { email: anAddress(), emailVerified: false, displayName: 'Ann', ...given }
    return (await store.users.add({ id: newId(), language: null, now: new Date(), ...row }))!
  }

  async function aUser(given: { email?: string } = {}) {
    const { id: uid, email, emailVerified, displayName } = await aRow(given)
    const user = { uid, email, emailVerified, displayName }
    await identity.createUser({ ...user, password: await prepare(email) })
    return user
  }

  return { store, identity, prepare, signIn, disable, aRow, aUser }
}
