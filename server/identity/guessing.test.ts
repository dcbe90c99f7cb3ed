// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import {
  aWorld,
  aWorldWith,
  cookieHeader,
  inParallel,
  reasonOf,
  type Person,
} from '../../tests/world.ts'
import { accountOf } from './guessing.ts'

const { tries } = rateLimits.failedSignInByAccountAndNetwork

async function aHouse() {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const from = (address: string, cookie?: string) => ({
    headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) },
  })
  const guess = (email: string, address: string, cookie?: string) =>
    world.call('signIn', { email, password: 'a guess' }, from(address, cookie))
  const signIn = ({ email, password }: Person, address: string, cookie?: string) =>
    world.call('signIn', { email, password }, from(address, cookie))
  /** Makes as many wrong guesses as one network may make for an account. */
  async function useUp(email: string, address: string, cookie?: string) {
    for (let index = 0; index < tries; index++) await guess(email, address, cookie)
  }
  return { world, from, guess, signIn, useUp }
}

test('a device that signed in before has its own limit of wrong passwords, and keeps it after signing out', async () => {
  const { world, signIn, useUp } = await aHouse()
  const ann = await world.aPerson()
  await ann.call('signOut', {})
  await useUp(ann.email, '203.0.113.1')
  const stopped = await signIn(ann, '203.0.113.1')
  expect([stopped.status, reasonOf(stopped)]).toEqual([429, 'auth/too-many-requests'])
  expect(stopped.error!.details!['retryAfter']).toBeGreaterThan(0)
  expect((await signIn(ann, '203.0.113.1', ann.cookie)).status).toBe(200)
  await useUp(ann.email, '203.0.113.2', ann.cookie)
  expect(reasonOf(await signIn(ann, '203.0.113.3', ann.cookie))).toBe('auth/too-many-requests')
  expect((await signIn(ann, '203.0.113.2')).status, 'strangers are not counted with it').toBe(200)
})

test('a device cookie that is forged, cut off or from another account is ignored', async () => {
  const { world, signIn, useUp } = await aHouse()
  const [ann, mallory] = await world.somePeople('ann', 'mallory')
  const value = /pergola_device=([^;]+)/.exec(ann.cookie)![1]!
  const mark = value.split('.')[1]!
  const othersId = /pergola_device=([^.]+)/.exec(mallory.cookie)![1]!
  await useUp(ann.email, '203.0.113.1')
  for (const forged of [
    value.slice(0, -1),
    `${othersId}.${mark}`,
    `${value}.`,
    value.replace(/.$/, '!'),
    mark,
    'x'.repeat(5000),
  ])
    expect(reasonOf(await signIn(ann, '203.0.113.1', `pergola_device=${forged}`)), forged).toBe(
      'auth/too-many-requests',
    )
  expect(reasonOf(await signIn(ann, '203.0.113.1', mallory.cookie))).toBe('auth/too-many-requests')
})

test('the device cookie of a browser remembers the ten accounts that signed in last', async () => {
  const { world, signIn, useUp } = await aHouse()
  const people: Person[] = []
  let cookie = ''
  for (let index = 0; index <= limits.devices.accounts; index++)
    people.push(await world.aPerson(`p${index}`))
  for (const person of people)
    cookie = cookieHeader((await signIn(person, '203.0.113.1', cookie)).headers.getSetCookie())
  const [first, second] = people as [Person, Person]
  for (const { email } of [first, second]) await useUp(email, '203.0.113.2')
  expect((await signIn(second, '203.0.113.2', cookie)).status).toBe(200)
  expect(reasonOf(await signIn(first, '203.0.113.2', cookie))).toBe('auth/too-many-requests')
})

test('password guesses are limited in the same way for an email address without an account', async () => {
  const { world, guess, useUp } = await aHouse()
  const ann = await world.aPerson()
  for (const email of [ann.email, 'nobody@example.com']) {
    await useUp(email, '203.0.113.1')
    expect(reasonOf(await guess(email, '203.0.113.1')), email).toBe('auth/too-many-requests')
    expect(reasonOf(await guess(email, '203.0.113.2')), email).toBe('auth/invalid-credential')
  }
})

test('wrong passwords from one network are limited over all accounts together, and right passwords are not', async () => {
  const { world, guess, signIn } = await aHouse()
  const ann = await world.aPerson()
  const spent = rateLimits.failedSignInByNetwork.tries - 1
  await world.useUp('failedSignInByNetwork', '203.0.113.1', spent)
  for (let index = 0; index < 3; index++)
    expect((await signIn(ann, '203.0.113.1')).status).toBe(200)
  expect(reasonOf(await guess('nobody@example.com', '203.0.113.1'))).toBe('auth/invalid-credential')
  expect(reasonOf(await signIn(ann, '203.0.113.1'))).toBe('auth/too-many-requests')
})

test('successful sign-ins to one account have a rate limit', async () => {
  const { world, signIn } = await aHouse()
  const ann = await world.aPerson()
  const { tries } = rateLimits.signInByAccount
  for (let index = 0; index < tries; index += 10) {
    const answers = await inParallel(10, () => signIn(ann, '203.0.113.1'))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  }
  expect(reasonOf(await signIn(ann, '203.0.113.1'))).toBe('auth/too-many-requests')
})

test('wrong passwords in a stolen session don’t count against the limit of the user’s own session', async () => {
  const [world, ann] = await aWorldWith('ann')
  const thief = await world.signedIn(ann)
  for (let index = 0; index < rateLimits.reauthenticationBySession.tries; index++)
    await thief.call('reauthenticate', { password: `guess ${index}` })
  await thief.cannot('reauthenticate', { password: ann.password }, 'auth/too-many-requests')
  await ann.does('reauthenticate', { password: ann.password })
})

test('a user’s activity log shows wrong passwords for their account, once for each network', async () => {
  const { world, guess, from } = await aHouse()
  const ann = await world.aPerson()
  const headers = { ...from('2001:db8::7').headers, 'user-agent': 'Firefox/1 (X11; Linux)' }
  await world.call('signIn', { email: ann.email, password: 'a guess' }, { headers })
  // Jobs that are added at nearly the same moment may end in another order.
  await world.untilWorkedOff()
  for (const address of ['2001:db8::8', '203.0.113.1', '203.0.113.1'])
    await guess(ann.email, address)
  await world.untilWorkedOff()
  const { activity } = await ann.does('listOwnActivity', { area: 'account' })
  expect(activity.toReversed()).toMatchObject([
    { kind: 'signedIn' },
    {
      kind: 'signInFailed',
      actor: null,
      subscription: null,
      details: { device: 'Firefox/1 (X11; Linux)', address: '2001:db8::7' },
    },
    { kind: 'signInFailed', actor: null, details: { device: '', address: '203.0.113.1' } },
  ])
})

test('activity entries about wrong passwords are deleted with the account', async () => {
  const [world, ann] = await aWorldWith('ann')
  await world.call('signIn', { email: ann.email, password: 'a guess' })
  await world.untilWorkedOff()
  const kept = async () => (await world.pool.query('select from activity')).rowCount
  expect(await kept()).toBe(2)
  await ann.call('deleteAccount', { confirmationId: ann.uid })
  expect(await kept()).toBe(0)
})

test('the number of activity entries about wrong passwords is limited, even if they come from very many networks', async () => {
  const { world, guess } = await aHouse()
  const ann = await world.aPerson()
  const { tries } = rateLimits.failureNotedByAccount
  await world.useUp('failureNotedByAccount', accountOf(ann.email, world.services), tries - 1)
  for (const index of [1, 2, 3]) await guess(ann.email, `203.0.113.${index}`)
  await world.untilWorkedOff()
  const kinds = (await ann.does('listOwnActivity', {})).activity.map(({ kind }) => kind)
  expect(kinds).toEqual(['signInFailed', 'signedIn'])
})

test('wrong passwords count by the /56 and the /48 around an IPv6 network too', async () => {
  const { world, guess } = await aHouse()
  const email = 'nobody@example.com'
  const account = accountOf(email, world.services)
  const [of56, of48] = [
    rateLimits.failedSignInByAccountAnd56,
    rateLimits.failedSignInByAccountAnd48,
  ]
  for (let index = 0; index < of56.tries; index++)
    expect(reasonOf(await guess(email, `2001:db8:0:${index.toString(16)}::1`))).toBe(
      'auth/invalid-credential',
    )
  expect(reasonOf(await guess(email, '2001:db8:0:ff::1'))).toBe('auth/too-many-requests')
  expect(reasonOf(await guess(email, '2001:db8:0:100::1'))).toBe('auth/invalid-credential')
  await world.useUp('failedSignInByAccountAnd48', `${account} 2001:db8:0::/48`, of48.tries)
  expect(reasonOf(await guess(email, '2001:db8:0:200::1'))).toBe('auth/too-many-requests')
  expect(reasonOf(await guess(email, '2001:db8:1::1'))).toBe('auth/invalid-credential')
})
