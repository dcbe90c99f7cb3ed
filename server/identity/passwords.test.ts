// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import {
  aWorld,
  aWorldWith,
  inParallel,
  openWorld,
  reasonOf,
  type Person,
} from '../../tests/world.ts'
import { hashingThreads, hashPassword, isPassword } from '../providers/identity/passwords.ts'

const newPassword = 'battery staple'

const places = hashingThreads * limits.passwords.waitingPerThread
/** A hash that takes one to two seconds to verify. */
const slowHash = `$argon2id$v=19$m=19456,t=200,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Keeps all threads busy for one to two seconds. */
function occupyThreads() {
  const slow = inParallel(hashingThreads, () => isPassword('x', slowHash, 'threads'))
  // A hash that a failed test leaves behind would disturb the next test.
  onTestFinished(async () => void (await Promise.allSettled([slow])))
  return slow
}

/** A server with three database connections. Calls that held them would block all other calls. */
async function aNarrowWorld() {
  const { connection } = await aDatabase()
  const world = await openWorld({ ...connection, max: 3 })
  return { world, ann: await world.aPerson('ann') }
}

/**
 * Expects that `person` gets an answer while all `calls` wait to hash a password. There are more
 * calls than database connections.
 *
 * Slow hashes keep all threads busy. Other hashes fill the queue until it has one place fewer than
 * the calls need. So the last call displaces one of the other hashes, which shows that all calls
 * wait.
 */
async function expectFreeConnections(person: Person, calls: (() => Promise<{ status: number }>)[]) {
  const slow = occupyThreads()
  const others = Array.from({ length: places - calls.length + 1 }, () =>
    hashPassword('x', 'others'),
  )
  onTestFinished(async () => void (await Promise.allSettled(others)))
  const allWait = Promise.race(
    others.map((hashed) => new Promise((resolve) => void hashed.catch(() => resolve('all wait')))),
  )
  const threadsFree = slow.then(() => 'the threads are free')
  const rush = calls.map((call) => call())
  expect(await Promise.race([allWait, threadsFree])).toBe('all wait')
  const asked = person.call('getUser', {}).then(({ status }) => status)
  expect(await Promise.race([asked, threadsFree])).toBe(200)
  for (const { status } of await Promise.all(rush)) expect(status).toBe(200)
}

test('many sign-ups that wait to hash a password hold no database connection', async () => {
  const { world, ann } = await aNarrowWorld()
  const signUps = Array.from({ length: 12 }, (_, index) => () => world.signUp(`rush${index}`))
  await expectFreeConnections(ann, signUps)
})

test('many password changes of one account that wait to hash a password hold no database connection', async () => {
  const { world, ann } = await aNarrowWorld()
  const bob = await world.aPerson('bob')
  const change = () => bob.call('updatePassword', { newPassword })
  await expectFreeConnections(ann, Array(12).fill(change))
})

test('many password resets that wait to hash a password hold no database connection', async () => {
  const { world, ann } = await aNarrowWorld()
  const codes: string[] = []
  for (let index = 0; index < 8; index++) {
    const { email } = await world.aPerson(`bob${index}`)
    codes.push(await world.resetCode(email))
  }
  await expectFreeConnections(
    ann,
    codes.map((oobCode) => () => world.call('confirmPasswordReset', { oobCode, newPassword })),
  )
})

test('when the queue for password hashing is full of sign-ups, further ones are refused with a time to retry, and another caller is still served', async () => {
  const [world, ann] = await aWorldWith('ann')
  void occupyThreads()
  const signUp = (index: number) => world.signUp(`rush${index}`)
  const rush = Array.from({ length: places + 20 }, (_, index) => signUp(index))
  await ann.does('reauthenticate', { password: ann.password })
  const answers = await Promise.all(rush)
  // One sign-up may have been displaced by the call of `ann`.
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(places - 1)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused)
    expect([reasonOf(answer), answer.status, answer.headers.get('retry-after')]).toEqual([
      'unavailable',
      503,
      '1',
    ])
})

test('password changes in one session have a rate limit', async () => {
  const [, ann] = await aWorldWith('ann')
  const { tries } = rateLimits.passwordChangeBySession
  const answers = await inParallel(tries + 2, () => ann.call('updatePassword', { newPassword }))
  expect(answers.filter((answer) => reasonOf(answer) === 'auth/too-many-requests')).toHaveLength(2)
})

const annArcher = { fullName: 'Ann Archer', email: 'ann.archer@example.com' }

test.each([
  ['12345', 'length'],
  ['x'.repeat(limits.passwords.maxLength + 1), 'length'],
  ['123456', 'common'],
  ['password', 'common'],
  ['Password', 'common'],
  ['１２３４５６', 'common'],
  ['      ', 'common'],
  ['654321', 'common'],
  ['555555', 'common'],
  ['aaaaab', 'common'],
  ['abcabc', 'common'],
  ['112233aabbcc', 'common'],
  ['ijklmnop', 'common'],
  ['poiuytrewq', 'common'],
  ['9876543210987', 'common'],
  ['asdf1234qwer', 'common'],
  ['a b c d e f', 'common'],
  ['passwordpassword', 'common'],
  ['admin123', 'common'],
  ['P@ssw0rd1!', 'common'],
  ['2026!Dragon', 'common'],
  ['ann.archer@example.com', 'address'],
  ['Ann.Archer@Example.com', 'address'],
  ['ann.archer', 'address'],
  ['ann.archer@example.com1', 'address'],
  ['AnnArcher1990!', 'address'],
  ['archer-ann', 'address'],
  ['example2026', 'address'],
  ['myexample', 'address'],
  ['pergola', 'product'],
  ['Pergola123', 'product'],
  ['pergola 2026!', 'product'],
  ['my pergola', 'product'],
])(
  'the password “%s” is refused because of the requirement “%s”',
  async (password, requirement) => {
    const world = await aWorld()
    const answer = await world.call('signUp', { ...annArcher, password })
    expect(answer).toMatchObject({
      status: 400,
      error: { details: { reason: 'auth/password-does-not-meet-requirements', requirement } },
    })
  },
)

test.each([
  'correct horse',
  'xk33q9',
  'stuck!9x',
  'dragon-48 27 09',
  'ann.archer was here',
  'archer rows upstream',
  'the tall pergola',
])('the password “%s” is accepted', async (password) => {
  const world = await aWorld()
  await world.does('signUp', { ...annArcher, password })
})

test('password changes and resets apply the same rules to the new password, and a refused password changes nothing', async () => {
  const [world, ann] = await aWorldWith('ann')
  const newPassword = ann.email
  const oobCode = await world.resetCode(ann.email)
  const details = { reason: 'auth/password-does-not-meet-requirements', requirement: 'address' }
  for (const answer of [
    await ann.call('updatePassword', { newPassword }),
    await world.call('confirmPasswordReset', { oobCode, newPassword }),
  ])
    expect(answer.error).toMatchObject({ details })
  await world.signedIn(ann)
})

test('a password reset with an invalid code is refused before the new password is checked', async () => {
  const world = await aWorld()
  const useless = { oobCode: 'made up', newPassword: 'password' }
  await world.cannot('confirmPasswordReset', useless, 'auth/invalid-action-code')
})

test('a password whose stored hash was made without Unicode normalization still works', async () => {
  const world = await aWorld()
  const { uid, email } = await world.aPerson('ann')
  const decomposed = 'pässwörter'.normalize('NFD')
  await world.services.store.users.setPassword({
    userId: uid,
    hash: await hashPassword(decomposed, uid),
  })
  await world.does('signIn', { email, password: decomposed })
})
