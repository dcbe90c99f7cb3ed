// @module-tag slow
import { engineLimits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { refusalOf } from '../../tests/refusal-of.ts'
import {
  aWorld,
  cookieHeader,
  inParallel,
  openWorld,
  reasonOf,
  type Person,
  type World,
} from '../../tests/world.ts'
import type { Visit } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { accountOf, guardGuess } from './guessing.ts'

const proxied = { TRUST_PROXY: '1' }
const most = rateLimits.failedSignInOfStrangers.tries

async function aHouse() {
  const world = await aWorld(proxied)
  const ann = await world.aPerson()
  const from = (address: string, cookie = '') => ({
    headers: { 'x-forwarded-for': address, cookie },
  })
  const guess = (email: string, address: string) =>
    world.call('signIn', { email, password: 'a guess' }, from(address))
  const signIn = ({ email, password }: Person, address: string, cookie?: string) =>
    world.call('signIn', { email, password }, from(address, cookie))
  const useUp = (email: string, tries: number) =>
    world.useUp('failedSignInOfStrangers', accountOf(email, world.services), tries)
  return { world, ann, from, guess, signIn, useUp }
}

/** Guesses from a network of its own with each index, and judges by `judge`. */
function guessAt({ services }: World, judge: () => Promise<never>) {
  const email = 'nobody@example.com'
  return async (index: number) => {
    const visit = { address: `203.0.113.${index}`, userAgent: '' } as Visit
    return refusalOf(guardGuess({ email, visit, judge }, services))
  }
}

test('after very many wrong passwords in a day, strangers are offered a reset mail', async () => {
  const { ann, guess, signIn, useUp } = await aHouse()
  const answers = []
  for (const email of [ann.email, 'nobody@example.com']) {
    await useUp(email, most - 1)
    expect(reasonOf(await guess(email, '203.0.113.1'))).toBe('auth/invalid-credential')
    const { status, error } = await guess(email, '203.0.113.2')
    const { retryAfter, ...details } = error!.details!
    expect(retryAfter).toBeGreaterThan(0)
    answers.push({ status, details })
  }
  expect(answers[0]).toEqual({
    status: 429,
    details: { reason: 'auth/too-many-requests', way: 'resetPassword' },
  })
  expect(answers[1], 'an address without an account').toEqual(answers[0])
  expect(reasonOf(await signIn(ann, '203.0.113.3'))).toBe('auth/too-many-requests')
  expect((await signIn(ann, '203.0.113.2', ann.cookie)).status, 'a known device').toBe(200)
})

test('a reset lets a person in on a new device while strangers are refused', async () => {
  const { world, ann, from, signIn, useUp } = await aHouse()
  await useUp(ann.email, most)
  expect(reasonOf(await signIn(ann, '203.0.113.1'))).toBe('auth/too-many-requests')
  const oobCode = await world.resetCode(ann.email)
  const newPassword = 'brand new horse'
  const input = { oobCode, newPassword }
  const { headers } = await world.call('confirmPasswordReset', input, from('203.0.113.1'))
  const cookie = cookieHeader(headers.getSetCookie())
  const renewed = { ...ann, password: newPassword }
  expect((await signIn(renewed, '203.0.113.1', cookie)).status).toBe(200)
  expect(reasonOf(await signIn(renewed, '203.0.113.1'))).toBe('auth/too-many-requests')
})

test('right passwords of strangers do not count as wrong ones', async () => {
  const { ann, guess, signIn, useUp } = await aHouse()
  await useUp(ann.email, most - 1)
  for (const last of [1, 2, 3]) expect((await signIn(ann, `203.0.113.${last}`)).status).toBe(200)
  expect(reasonOf(await guess(ann.email, '203.0.113.4'))).toBe('auth/invalid-credential')
})

test('guesses at once from very many networks exceed no limit of an account', async () => {
  const { ann, guess, useUp } = await aHouse()
  await useUp(ann.email, most - 5)
  const reasons = []
  for (const wave of [1, 2, 3])
    reasons.push(
      ...(await inParallel(30, async (index) =>
        reasonOf(await guess(ann.email, `2001:db8:${wave}${index}::1`)),
      )),
    )
  expect(reasons.filter((reason) => reason === 'auth/invalid-credential')).toHaveLength(5)
})

test('one guess at an account is judged at a time, from all networks and on all servers', async () => {
  const { world } = await aHouse()
  const other = await openWorld(world.connection, proxied)
  let [judging, most, judged] = [0, 0, 0]
  const judge = async () => {
    most = Math.max(most, ++judging)
    await world.pool.query('select pg_sleep(0.01)')
    judging--
    judged++
    throw new Refusal('auth/invalid-credential')
  }
  const guesses = [world, other].map((server) => inParallel(10, guessAt(server, judge)))
  await Promise.all(guesses)
  expect(most).toBe(1)
  expect(judged).toBeGreaterThan(1)
})

test('a guess that would wait behind too many is refused at once', async () => {
  const { world } = await aHouse()
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const guess = guessAt(world, async () => {
    await gate
    throw new Refusal('auth/invalid-credential')
  })
  const guesses = Array.from({ length: engineLimits.guessing.waiting + 2 }, (_, index) =>
    guess(index),
  )
  const { reason, details } = await Promise.race(guesses)
  expect(reason).toBe('auth/too-many-requests')
  expect(details).toEqual({
    retryAfter: engineLimits.guessing.retryAfter / 1000,
    way: 'resetPassword',
  })
  open()
  const reasons = (await Promise.all(guesses)).map(({ reason }) => reason)
  expect(reasons.filter((reason) => reason !== 'auth/invalid-credential')).toHaveLength(1)
})

test('a guess that a killed server was judging holds up others for a limited time', async () => {
  const { world, ann, signIn } = await aHouse()
  await world.useUp('guessInProgress', accountOf(ann.email, world.services), 1)
  expect(reasonOf(await signIn(ann, '203.0.113.1'))).toBe('auth/too-many-requests')
  expect((await signIn(ann, '203.0.113.1', ann.cookie)).status, 'a known device').toBe(200)
  const counted = "select points from rate_limits where key like 'failedSignInOfStrangers:%'"
  expect((await world.pool.query(counted)).rows, 'it was not judged').toEqual([])
  await world.pool.query("update rate_limits set expire = 0 where key like 'guessInProgress:%'")
  expect((await signIn(ann, '203.0.113.1')).status).toBe(200)
})

test('24 hours that begin in the last hour of a limit allow hardly more guesses than one limit', async () => {
  const { world, ann, guess, useUp } = await aHouse()
  const passAnHour = () =>
    world.pool.query('update rate_limits set expire = expire - $1', [3_600_000])
  const endSoon = () =>
    world.pool.query('update rate_limits set expire = $1', [Date.now() + 1_800_000])
  await useUp(ann.email, most - 2)
  await endSoon()
  expect(reasonOf(await guess(ann.email, '203.0.113.1'))).toBe('auth/invalid-credential')
  await passAnHour()
  expect(reasonOf(await guess(ann.email, '203.0.113.2'))).toBe('auth/invalid-credential')
  expect(reasonOf(await guess(ann.email, '203.0.113.3'))).toBe('auth/too-many-requests')
})
