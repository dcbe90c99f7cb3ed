import { rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aWorld } from '../../../../../tests/world.ts'
import { anEmulator, emulatorSettings } from './emulator.ts'

const newPassword = 'battery staple'
const emulator = anEmulator()
const environment = {
  IDENTITY: 'firebase',
  FIREBASE_PROJECT_ID: emulatorSettings.projectId,
  FIREBASE_API_KEY: emulatorSettings.apiKey,
  FIREBASE_AUTH_EMULATOR_HOST: emulatorSettings.emulatorHost,
}

/** The whole run shares one emulator, so every test has a person with a name of its own. */
async function aWorldWith(name: string) {
  const world = await aWorld(environment)
  const person = await world.aPerson(name, { verified: false })
  const { uid, email, password } = person
  return { world, person, uid, email, password }
}

test('a sign-up makes the account at Firebase, and the mailed link verifies it there', async () => {
  const { world, uid, email, password } = await aWorldWith('new')
  const made = { localId: uid, emailVerified: false, displayName: 'new' }
  expect(await emulator.find(email)).toMatchObject(made)
  await world.openMail(email)
  expect(await emulator.find(email)).toMatchObject({ emailVerified: true })
  const { user } = await world.does('signIn', { email, password })
  expect(user).toMatchObject({ uid, email, emailVerified: true, displayName: 'new' })
})

test('our own rate limits stop password guessing', async () => {
  const { world, email, password } = await aWorldWith('guessed')
  for (let index = 0; index < rateLimits.failedSignInByAccountAndNetwork.tries; index++)
    await world.call('signIn', { email, password: `guess ${index}` })
  await world.cannot('signIn', { email, password }, 'auth/too-many-requests')
})

test('an address that is taken at Firebase is refused as already in use, and leaves nothing behind', async () => {
  const world = await aWorld(environment)
  const account = { email: 'taken@example.com', password: 'correct horse' }
  await emulator.create(account)
  await world.cannot('signUp', { fullName: 'Ann', ...account }, 'auth/email-already-in-use')
  expect(await world.services.store.users.findByEmail(account.email)).toBeUndefined()
})

test('a reset by the mailed link sets the password at Firebase and ends every session', async () => {
  const { world, person, email, password } = await aWorldWith('reset')
  await world.does('sendPasswordResetEmail', { email })
  const oobCode = await world.mailedCode(email)
  await world.does('confirmPasswordReset', { oobCode, newPassword })
  await person.cannot('getUser', {}, 'sessionEnded')
  await world.cannot('signIn', { email, password }, 'auth/invalid-credential')
  await world.does('signIn', { email, password: newPassword })
})

test('mailed links change the address at Firebase and undo the change', async () => {
  const { world, person, uid, email, password } = await aWorldWith('moving')
  await world.openMail(email)
  const newEmail = 'moved@example.com'
  await person.does('updateEmail', { newEmail })
  await world.openMail(newEmail)
  const { user } = await world.does('signIn', { email: newEmail, password })
  expect(user).toMatchObject({ uid, email: newEmail })
  await world.cannot('signIn', { email, password }, 'auth/invalid-credential')

  await world.openMail(email)
  expect(await emulator.find(email)).toMatchObject({ localId: uid, emailVerified: true })
  await world.cannot('signIn', { email, password }, 'auth/invalid-credential')
})

test('the name and the password are changed at Firebase, and a deleted account is gone from it', async () => {
  const { world, person, uid, email, password } = await aWorldWith('leaving')
  await person.does('updateProfile', { displayName: 'Ann the Second' })
  expect(await emulator.find(email)).toMatchObject({ displayName: 'Ann the Second' })
  await person.does('reauthenticate', { password })
  await person.does('updatePassword', { newPassword })
  await person.cannot('reauthenticate', { password }, 'auth/wrong-password')
  await person.does('deleteAccount', { confirmationId: uid })
  expect(await emulator.find(email)).toBeUndefined()
  await world.cannot('signIn', { email, password: newPassword }, 'auth/invalid-credential')
})

test('the next sign-in keeps a changed name and an address that an invitation verified', async () => {
  const { world, person, email, password } = await aWorldWith('invited')
  const { owner, id } = await world.aProject()
  await owner.invites(id, email)
  await person.does('checkInvite', { code: await world.mailedCode(email) })
  await person.does('saveUser', { display_name: 'Ann the Guest' })
  const { user } = await world.does('signIn', { email, password })
  expect(user).toMatchObject({ emailVerified: true, displayName: 'Ann the Guest' })
})
