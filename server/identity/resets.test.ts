import { rateLimits } from '#config/limits.ts'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { aWorld, aWorldWith } from '../../tests/world.ts'
import { inTransaction } from '../sql/database.ts'

const { mailsToMailbox, resetByAccountAndNetwork, resetByDevice } = rateLimits

async function aHouse() {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const ann = await world.aPerson()
  const ask = (address: string, { email = ann.email, cookie = '' } = {}) =>
    world.call(
      'sendPasswordResetEmail',
      { email },
      { headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) } },
    )
  const resets = async () =>
    (await world.mails(ann.email)).filter(({ links }) => links[0]!.includes('mode=resetPassword'))
      .length
  return { world, ann, ask, resets }
}

test('a password reset beyond the limit of a network for one account gets the usual answer, but no mail', async () => {
  const { ask, resets } = await aHouse()
  const answers = []
  for (let index = 0; index < resetByAccountAndNetwork.tries + 3; index++)
    answers.push(await ask('203.0.113.1'))
  expect(
    answers.every(({ status, result }) => status === 200 && JSON.stringify(result) === '{}'),
  ).toBe(true)
  expect(await resets()).toBe(resetByAccountAndNetwork.tries)
})

test('password resets that strangers request are limited, and don’t count against the limit of the user’s own device', async () => {
  const { ann, ask, resets } = await aHouse()
  for (let index = 0; index < 20; index++) await ask(`203.0.113.${index}`)
  // The mailbox has had the mail of the sign-up too.
  const ofStrangers = mailsToMailbox.tries - 1
  expect(await resets()).toBe(ofStrangers)
  for (let index = 0; index < resetByDevice.tries + 3; index++)
    await ask('203.0.113.1', { cookie: ann.cookie })
  expect(await resets()).toBe(ofStrangers + resetByDevice.tries)
})

test('a password reset beyond the limit of a network for all accounts gets the usual answer, but no mail', async () => {
  const { world, ask, resets } = await aHouse()
  await world.useUp('resetByNetwork', '203.0.113.1', rateLimits.resetByNetwork.tries)
  expect((await ask('203.0.113.1')).status).toBe(200)
  expect(await resets()).toBe(0)
  await ask('203.0.113.2')
  expect(await resets()).toBe(1)
})

test('a request for a password reset is answered before the account is looked up, so that the time of the answer does not show whether it exists', async () => {
  const [world, ann] = await aWorldWith('ann')
  await inTransaction(world.pool, async (tx) => {
    await tx.execute(sql`lock table users, action_codes in access exclusive mode`)
    for (const email of [ann.email, 'nobody@example.com'])
      await world.does('sendPasswordResetEmail', { email })
  })
  expect(await world.mailedCode(ann.email)).toBeTruthy()
})
