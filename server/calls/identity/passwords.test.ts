import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aDatabase } from '../../../tests/database.ts'
import { aWorld, openWorld, reasonOf, type Person } from '../../../tests/world.ts'
import { hashingThreads } from '../../providers/identity/passwords.ts'

const newPassword = 'battery staple'

/** A server with so few connections that two calls that keep theirs leave none to others. */
async function aNarrowWorld() {
  const { connection } = await aDatabase()
  const world = await openWorld({ ...connection, max: 3 })
  return { world, ann: await world.aPerson('ann') }
}

/** How much of a rush of calls is answered before somebody else has asked three times. */
async function answeredBefore(person: Person, rush: Promise<{ status: number }>[]) {
  let answered = 0
  for (const call of rush) void call.then(() => answered++)
  for (let index = 0; index < 3; index++) await person.call('getUser', {})
  const before = answered
  for (const { status } of await Promise.all(rush)) expect(status).toBe(200)
  return before / rush.length
}

test('a rush of sign-ups keeps no connection from others while it hashes', async () => {
  const { world, ann } = await aNarrowWorld()
  const signUp = (index: number) => world.call('signUp', { fullName: 'Rush', email: `rush${index}@example.com`, password: 'correct horse' })
  const rush = Array.from({ length: 12 }, (_, index) => signUp(index))
  expect(await answeredBefore(ann, rush)).toBeLessThan(0.5)
})

test('a rush of password changes of one account keeps no connection from others while it hashes', async () => {
  const { world, ann } = await aNarrowWorld()
  const bob = await world.aPerson('bob')
  const rush = Array.from({ length: 12 }, () => bob.call('updatePassword', { newPassword }))
  expect(await answeredBefore(ann, rush)).toBeLessThan(0.5)
})

test('a rush of resets keeps no connection from others while it hashes', async () => {
  const { world, ann } = await aNarrowWorld()
  const codes: string[] = []
  for (let index = 0; index < 8; index++) {
    const { email } = await world.aPerson(`bob${index}`)
    await world.call('sendPasswordResetEmail', { email })
    codes.push(await world.mailedCode(email))
  }
  const rush = codes.map((oobCode) => world.call('confirmPasswordReset', { oobCode, newPassword }))
  expect(await answeredBefore(ann, rush)).toBeLessThan(0.5)
})

test('of more sign-ups than may wait some are told when to come back, and somebody else gets in before them', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  const places = hashingThreads * (1 + limits.passwords.waitingPerThread)
  const signUp = (index: number) => world.call('signUp', { fullName: 'Rush', email: `rush${index}@example.com`, password: 'correct horse' })
  const rush = Array.from({ length: 2 * places }, (_, index) => signUp(index))
  expect((await ann.call('reauthenticate', { password: ann.password })).status).toBe(200)
  const answers = await Promise.all(rush)
  // One of them gave its place to the person.
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(places - 1)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused)
    expect([reasonOf(answer), answer.status, answer.headers.get('retry-after')]).toEqual(['unavailable', 503, '1'])
})

test('how often an account changes its password is limited', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  const { tries } = limits.attempts.passwordChangeByAccount
  const answers = await Promise.all(Array.from({ length: tries + 2 }, () => ann.call('updatePassword', { newPassword })))
  expect(answers.filter((answer) => reasonOf(answer) === 'auth/too-many-requests')).toHaveLength(2)
})
