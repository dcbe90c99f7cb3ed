import { defaultPermission } from '#contract/access.ts'
import { expect, test } from 'vitest'
import { aWorld, reasonOf } from '../world.ts'
import { anEmulator, emulatorSettings } from './emulator.ts'

const password = 'correct horse'
const emulator = anEmulator()
const environment = {
  IDENTITY: 'firebase',
  FIREBASE_PROJECT_ID: emulatorSettings.projectId,
  FIREBASE_API_KEY: emulatorSettings.apiKey,
  FIREBASE_AUTH_EMULATOR_HOST: emulatorSettings.emulatorHost,
}

test('signing up makes the account at Firebase, and its link verifies it there', async () => {
  const { email, call, aPerson } = await aHouse('sign-up')
  const { uid, verification } = await aPerson()
  expect(await emulator.find(email)).toMatchObject({
    localId: uid,
    emailVerified: false,
    displayName: 'Ann Archer',
  })
  expect((await call('applyActionCode', { oobCode: verification })).status).toBe(200)
  expect(await emulator.find(email)).toMatchObject({ emailVerified: true })
  const { result } = await call('signIn', { email, password })
  expect(result!.user).toMatchObject({ uid, email, emailVerified: true, displayName: 'Ann Archer' })
})

test('a wrong password and an unknown address are refused alike, and guessing is stopped by our own limits', async () => {
  const { email, call, aPerson } = await aHouse('guess')
  await aPerson()
  const wrong = await call('signIn', { email, password: 'wrong password' })
  const unknown = await call('signIn', { email: 'nobody@example.com', password: 'wrong password' })
  expect(reasonOf(wrong)).toBe('auth/invalid-credential')
  expect(wrong.error).toEqual(unknown.error)
  for (let index = 0; index < 9; index++)
    await call('signIn', { email, password: `guess ${index}` })
  expect(reasonOf(await call('signIn', { email, password }))).toBe('auth/too-many-requests')
})

test('an address that is taken, here or at Firebase, is refused by name and leaves nothing behind', async () => {
  const { email, call, aPerson, services } = await aHouse('taken')
  await aPerson()
  expect(reasonOf(await call('signUp', { fullName: 'Other', email, password }))).toBe(
    'auth/email-already-in-use',
  )
  const elsewhere = 'taken-at-firebase@example.com'
  await emulator.create({ email: elsewhere, password })
  expect(reasonOf(await call('signUp', { fullName: 'Other', email: elsewhere, password }))).toBe(
    'auth/email-already-in-use',
  )
  expect(await services.store.users.findByEmail(elsewhere)).toBeUndefined()
})

test('a reset by the mailed link sets the password at Firebase and ends every session', async () => {
  const { email, call, mailedCode, aPerson } = await aHouse('reset')
  const person = await aPerson()
  await call('sendPasswordResetEmail', { email })
  const oobCode = await mailedCode(email)
  expect(
    (await call('confirmPasswordReset', { oobCode, newPassword: 'battery staple' })).status,
  ).toBe(200)
  expect(reasonOf(await person.call('getUser', {}))).toBe('sessionEnded')
  expect(reasonOf(await call('signIn', { email, password }))).toBe('auth/invalid-credential')
  expect((await call('signIn', { email, password: 'battery staple' })).status).toBe(200)
})

test('a password that Firebase refuses uses no link up', async () => {
  const { email, call, mailedCode, aPerson } = await aHouse('refused')
  await aPerson()
  await call('sendPasswordResetEmail', { email })
  const oobCode = await mailedCode(email)
  expect(reasonOf(await call('confirmPasswordReset', { oobCode, newPassword: '12345' }))).toBe(
    'auth/password-does-not-meet-requirements',
  )
  expect(
    (await call('confirmPasswordReset', { oobCode, newPassword: 'battery staple' })).status,
  ).toBe(200)
})

test('a change of the address by the link that went to it is Firebase’s too, and the old address takes it back', async () => {
  const { email, call, mailedCode, aPerson } = await aHouse('move')
  const person = await aPerson()
  await call('applyActionCode', { oobCode: person.verification })
  const newEmail = 'moved@example.com'
  expect((await person.call('updateEmail', { newEmail })).status).toBe(200)
  expect((await call('applyActionCode', { oobCode: await mailedCode(newEmail) })).status).toBe(200)
  expect((await call('signIn', { email: newEmail, password })).result!.user).toMatchObject({
    uid: person.uid,
    email: newEmail,
  })
  expect(reasonOf(await call('signIn', { email, password }))).toBe('auth/invalid-credential')

  expect((await call('applyActionCode', { oobCode: await mailedCode(email) })).status).toBe(200)
  expect(await emulator.find(email)).toMatchObject({ localId: person.uid, emailVerified: true })
  expect(reasonOf(await call('signIn', { email, password }))).toBe('auth/invalid-credential')
})

test('the name and the password are changed at Firebase, and a deleted account is gone from it', async () => {
  const { email, call, aPerson } = await aHouse('leave')
  const person = await aPerson()
  await person.call('updateProfile', { displayName: 'Ann the Second' })
  expect(await emulator.find(email)).toMatchObject({ displayName: 'Ann the Second' })
  expect((await person.call('reauthenticate', { password })).status).toBe(200)
  expect((await person.call('updatePassword', { newPassword: 'battery staple' })).status).toBe(200)
  expect(reasonOf(await person.call('reauthenticate', { password }))).toBe('auth/wrong-password')
  expect((await person.call('deleteAccount', { confirmationId: person.uid })).status).toBe(200)
  expect(await emulator.find(email)).toBeUndefined()
  expect(reasonOf(await call('signIn', { email, password: 'battery staple' }))).toBe(
    'auth/invalid-credential',
  )
})

test('what an invitation proves and what the record is given is kept at the next sign-in', async () => {
  const world = await aHouse('invited')
  const { owner, id } = await world.aProject()
  await owner.call('createInvite', {
    subscriptionId: id,
    email: world.email,
    permissions: [defaultPermission],
  })
  const code = await world.mailedCode(world.email)
  const person = await world.aPerson()
  expect((await person.call('checkInvite', { code })).status).toBe(200)
  expect((await person.call('saveUser', { display_name: 'Ann the Guest' })).status).toBe(200)
  const { result } = await world.call('signIn', { email: world.email, password })
  expect(result!.user).toMatchObject({ emailVerified: true, displayName: 'Ann the Guest' })
})

/** The whole run shares one emulator, so every test has an address of its own. */
async function aHouse(name: string) {
  const world = await aWorld(environment)
  const email = `${name}@example.com`

  async function aPerson() {
    const { result } = await world.call('signUp', { fullName: 'Ann Archer', email, password })
    const { user, token } = result!
    const call: typeof world.call = (name, data) => world.call(name, data, { token })
    // Two mails sent at once may arrive in either order.
    const verification = await world.mailedCode(email)
    return { uid: user.uid, verification, call }
  }

  return { ...world, email, aPerson }
}
