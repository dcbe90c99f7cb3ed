import { expect, test } from 'vitest'
import { aDatabase } from '../../../../tests/database.ts'
import { anHttpServer } from '../../../../tests/http-server.ts'
import { aLog } from '../../../../tests/world.ts'
import { openKeyedHash, pseudonym } from '../../../platform/keyed-hash.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { openDatabase } from '../../../sql/database.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { connectFirebase } from './firebase.ts'

const secrets = ['a-secret-key', 'correct horse', 'ann@example.com']

test.each([
  ['EMAIL_NOT_FOUND', 'auth/invalid-credential'],
  ['INVALID_PASSWORD', 'auth/invalid-credential'],
  ['INVALID_LOGIN_CREDENTIALS', 'auth/invalid-credential'],
  ['USER_NOT_FOUND', 'auth/invalid-credential'],
  ['EMAIL_EXISTS', 'auth/email-already-in-use'],
  ['INVALID_EMAIL', 'auth/invalid-email'],
  ['WEAK_PASSWORD : At least 6 characters', 'auth/password-does-not-meet-requirements'],
  ['PASSWORD_DOES_NOT_MEET_REQUIREMENTS : [x]', 'auth/password-does-not-meet-requirements'],
  ['TOO_MANY_ATTEMPTS_TRY_LATER : Access is disabled.', 'auth/too-many-requests'],
  ['OPERATION_NOT_ALLOWED', 'auth/operation-not-allowed'],
  ['QUOTA_EXCEEDED : Exceeded quota for verifying passwords.', 'unavailable'],
])('a sign-in that Firebase refuses with %s is refused with %s', async (message, reason) => {
  const { signIn } = await aFirebase(400, JSON.stringify({ error: { code: 400, message } }))
  expect(await signIn()).toMatchObject({ reason, details: {} })
})

test.each([
  ['an error of Google’s front end', 503, '{"error":{"message":"x","status":"UNAVAILABLE"}}'],
  ['an exceeded quota', 429, '{"error":{"message":"x","status":"RESOURCE_EXHAUSTED"}}'],
  ['an answer that is not JSON', 502, '<html>Bad gateway</html>'],
])('a sign-in is refused with “unavailable” after %s from Firebase', async (_, status, body) => {
  const { signIn } = await aFirebase(status, body)
  expect(await signIn()).toMatchObject({ reason: 'unavailable' })
})

test('an invalid Firebase API key makes a sign-in fail with an error that has Firebase’s code and not the key', async () => {
  const told = { message: 'API key not valid: a-secret-key', status: 'INVALID_ARGUMENT' }
  const { signIn } = await aFirebase(400, JSON.stringify({ error: told }))
  const error = await signIn()
  expect(error).not.toBeInstanceOf(Refusal)
  expect((error as Error).message).toBe('Firebase Auth answered 400 INVALID_ARGUMENT')
})

test('when Firebase can’t be reached, a sign-in is refused with “unavailable”, and the log has the cause and no secret', async () => {
  const { signIn, logged, stop } = await aFirebase(200, '{}')
  await stop()
  expect(await signIn()).toMatchObject({ reason: 'unavailable' })
  expect(logged()).toMatch(/ECONNREFUSED/)
  for (const secret of secrets) expect(logged()).not.toContain(secret)
})

test('requests to Firebase have the API key in a header and the password in the body, not in the URL', async () => {
  const { signIn, asked } = await aFirebase(400, '{"error":{"message":"INVALID_PASSWORD"}}')
  await signIn()
  expect(asked[0]).toMatchObject({
    url: '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword',
    headers: { 'x-goog-api-key': 'a-secret-key' },
  })
  expect(JSON.parse(asked[0]!.body)).toEqual({
    email: 'ann@example.com',
    password: 'correct horse',
    returnSecureToken: true,
  })
})

test('Firebase gets the normalized password first, then the password as typed', async () => {
  const { signIn, asked } = await aFirebase(400, '{"error":{"message":"INVALID_PASSWORD"}}')
  await signIn('pa\u0308ssword')
  const passwords = asked.map(({ body }) => JSON.parse(body).password)
  expect(passwords).toEqual(['p\u00e4ssword', 'pa\u0308ssword'])
})

test('forbidden characters are removed from a name that was entered in the Firebase console', async () => {
  const { signIn, store } = await aFirebaseWith('ann', 'Ann\u202E https://evil.example')
  expect(await signIn()).toMatchObject({ id: 'ann', displayName: 'Ann https evil.example' })
  expect(await store.users.find('ann')).toMatchObject({ displayName: 'Ann https evil.example' })
  expect(await signIn()).toMatchObject({ displayName: 'Ann https evil.example' })
})

test('a refused Firebase account whose email address belongs to another user is logged with a hash of its id', async () => {
  const { signIn, store, logged } = await aFirebaseWith('the-id-of-ann')
  const bob = { id: 'bob', emailVerified: true, displayName: 'Bob', language: null }
  await store.users.add({ ...bob, email: 'ann@example.com', now: new Date() })
  expect(await signIn()).toMatchObject({ reason: 'auth/email-already-in-use' })
  expect(logged()).toContain(`"user":"${pseudonym(keyedHash, 'the-id-of-ann')}"`)
  expect(logged()).not.toContain('the-id-of-ann')
})

const keyedHash = openKeyedHash('key')

/** A stand-in for Firebase that accepts Ann's password, and an empty database. */
async function aFirebaseWith(localId: string, displayName?: string) {
  const { pool } = await aDatabase()
  const store = openStore(openDatabase(pool))
  const account = { localId, email: 'ann@example.com', displayName }
  const body = JSON.stringify({ localId, idToken: 'token', users: [account] })
  return { ...(await aFirebase(200, body, store)), store }
}

const isBreached = async () => false
const emptyStore = { users: { findByEmail: async () => undefined } } as unknown as Store

/** A stand-in for Firebase that gives the same answer to every request. */
async function aFirebase(status: number, body: string, store = emptyStore) {
  const { host: emulatorHost, asked, stop } = await anHttpServer(() => ({ status, body }))
  const { log, lines } = aLog('info')
  const firebase = connectFirebase({ projectId: 'demo', apiKey: 'a-secret-key', emulatorHost }, log)
  const identity = firebase.open({ store, log, keyedHash, isBreached, now: () => new Date() })

  const signIn = (password = 'correct horse') =>
    identity
      .signInWithPassword({ email: 'ann@example.com' }, password, '203.0.113.7')
      .catch((error: unknown) => error)
  return { signIn, asked, stop, logged: () => lines.join('') }
}
