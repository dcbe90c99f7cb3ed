// Run by `npm run test:firebase` alone: it needs Google's emulator.
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '../../../tests/database.ts'
import { anEmulator, emulatorSettings } from '../../../tests/firebase/emulator.ts'
import { openKeyedHash } from '../../platform/keyed-hash.ts'
import { openDatabase } from '../../store/database.ts'
import { newId } from '../../platform/ids.ts'
import { openStore } from '../../store/store.ts'
import { anAddress, identityContract, reasonOf } from '../../../tests/contracts/identity.ts'
import { connectFirebase } from './firebase.ts'

const password = 'correct horse'
const caller = '203.0.113.7'
const emulator = anEmulator()
const log = pino({ level: 'silent' })

identityContract('Firebase Auth', async () => {
  const { store, identity } = await aHouse()
  return { store, identity, disable: (uid) => emulator.update(uid, { disableUser: true }) }
})

identityContract('Firebase Auth with enumeration protection', async () => {
  await emulator.protectAddresses(true)
  onTestFinished(() => emulator.protectAddresses(false))
  const { store, identity } = await aHouse()
  return { store, identity, disable: (uid) => emulator.update(uid, { disableUser: true }) }
})

test('an account made in the console becomes a user at its first sign-in', async () => {
  const { store, identity } = await aHouse()
  const [uid, email] = [newId(), anAddress()]
  await emulator.create({ localId: uid, email, password, emailVerified: true })
  const [first, second] = [
    await identity.signInWithPassword(email, password, caller),
    await identity.signInWithPassword(email, password, caller),
  ]
  expect(first).toMatchObject({
    id: uid,
    email,
    emailVerified: true,
    displayName: email.split('@')[0],
  })
  expect(second).toEqual(first)
  expect(await store.users.find(uid)).toEqual(first)
})

test('parallel first sign-ins make one user', async () => {
  const { identity } = await aHouse()
  const [localId, email] = [newId(), anAddress()]
  await emulator.create({ localId, email, password })
  const users = await Promise.all(
    [1, 2, 3, 4].map(() => identity.signInWithPassword(email, password, caller)),
  )
  expect(users.map(({ id }) => id)).toEqual([localId, localId, localId, localId])
})

test('changes in the console are copied at the next sign-in', async () => {
  const { store, identity, aUser } = await aHouse()
  const { uid } = await aUser()
  const email = anAddress()
  await emulator.update(uid, {
    email,
    emailVerified: true,
    displayName: 'Ann of\u200B the Console',
  })
  const user = await identity.signInWithPassword(email, password, caller)
  expect(user).toMatchObject({
    id: uid,
    email,
    emailVerified: true,
    displayName: 'Ann of the Console',
  })
  expect(await store.users.find(uid)).toEqual(user)
})

test('an address that was changed in the console is unverified here', async () => {
  const { store, identity, aUser } = await aHouse()
  const { uid } = await aUser()
  await store.users.update(uid, { emailVerified: true }, new Date())
  const email = anAddress()
  await emulator.update(uid, { email, emailVerified: false })
  expect(await identity.signInWithPassword(email, password, caller)).toMatchObject({
    email,
    emailVerified: false,
  })
})

test('disabling and enabling in the console reach us at the next sign-in', async () => {
  const { store, identity, aUser } = await aHouse()
  const { uid, email } = await aUser()
  await emulator.update(uid, { disableUser: true })
  expect(await reasonOf(identity.signInWithPassword(email, password, caller))).toBe(
    'auth/user-disabled',
  )
  expect(await store.users.find(uid)).toMatchObject({ disabled: true })
  await emulator.update(uid, { disableUser: false })
  expect(await identity.signInWithPassword(email, password, caller)).toMatchObject({
    disabled: false,
  })
})

test('a user from before Firebase gets an account there with a new password', async () => {
  const { store, identity } = await aHouse()
  const [id, email] = [newId(), anAddress()]
  await store.users.add({
    id,
    email,
    emailVerified: true,
    displayName: 'Ann Early',
    language: null,
    now: new Date(),
  })
  expect(await identity.hasPassword(id)).toBe(false)
  await identity.updateUser(id, {
    password: await identity.preparePassword(password, { email, caller }),
  })
  expect(await identity.signInWithPassword(email, password, caller)).toMatchObject({
    id,
    emailVerified: true,
    displayName: 'Ann Early',
  })
})

test('an address of an account in the console can’t be signed up with or changed to', async () => {
  const { identity, aUser } = await aHouse()
  const email = anAddress()
  await emulator.create({ localId: newId(), email, password })
  expect(await reasonOf(aUser({ email }))).toBe('auth/email-already-in-use')
  const { uid } = await aUser()
  expect(await reasonOf(identity.updateUser(uid, { email }))).toBe('auth/email-already-in-use')
})

test('an account in the console with a user’s address gets no access to the user', async () => {
  const { store, identity, aUser } = await aHouse()
  const [id, email] = [newId(), anAddress()]
  const row = await store.users.add({
    id,
    email,
    emailVerified: true,
    displayName: 'Ann',
    language: null,
    now: new Date(),
  })
  await emulator.create({ localId: newId(), email, password, emailVerified: true })
  expect(await reasonOf(identity.signInWithPassword(email, password, caller))).toBe(
    'auth/email-already-in-use',
  )
  const other = await aUser()
  await emulator.update(other.uid, { email: anAddress() })
  expect(await store.users.find(id)).toEqual(row)
})

test('an account that moved to another user’s address can’t sign in', async () => {
  const { store, identity, aUser } = await aHouse()
  const { uid } = await aUser()
  const email = anAddress()
  await store.users.add({
    id: newId(),
    email,
    emailVerified: true,
    displayName: 'Bob',
    language: null,
    now: new Date(),
  })
  await emulator.update(uid, { email })
  expect(await reasonOf(identity.signInWithPassword(email, password, caller))).toBe(
    'auth/email-already-in-use',
  )
})

test('an account with a second factor can’t be signed in to by password alone', async () => {
  const { identity, aUser } = await aHouse()
  await emulator.allowSecondFactors()
  const { uid, email } = await aUser()
  await emulator.update(uid, {
    emailVerified: true,
    mfa: { enrollments: [{ mfaEnrollmentId: 'phone', phoneInfo: '+12175550100' }] },
  })
  await expect(identity.signInWithPassword(email, password, caller)).rejects.toThrow(
    /second factor/,
  )
})

async function aHouse() {
  const { pool } = await aDatabase()
  const store = openStore(openDatabase(pool))
  const identity = connectFirebase(
    emulatorSettings,
    log,
  )({ store, log, keyedHash: openKeyedHash('key'), now: () => new Date() })

  async function aUser({ email = anAddress() } = {}) {
    const user = { uid: newId(), email, emailVerified: false, displayName: 'Ann' }
    await store.users.add({
      id: user.uid,
      email,
      emailVerified: false,
      displayName: 'Ann',
      language: null,
      now: new Date(),
    })
    await identity.createUser({
      ...user,
      password: await identity.preparePassword(password, { email, caller }),
    })
    return user
  }

  return { store, identity, aUser }
}
