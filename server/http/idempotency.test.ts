// @module-tag slow
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  aProject,
  aWorld,
  aWorldWith,
  billingInfo,
  openWorld,
  reasonOf,
  secretKey,
  type World,
} from '../../tests/world.ts'
import { newKey } from '../platform/secrets.ts'

test('concurrent and later requests with one idempotency key get the same answer, even if a seat becomes free in between', async () => {
  const world = await aWorld()
  const other = await openWorld(world.connection)
  // The project has one free seat.
  const { id: subscriptionId, owner } = await world.aProject({ members: 8 })
  const { store, now } = world.services
  const seen = new Set<unknown>()
  for (let round = 0; round < 60; round++) {
    const filler = await owner.triesToInvite(subscriptionId, `filler${round}@example.com`)
    const email = `bob${round}@example.com`
    const invite = (at: World) =>
      at.call(
        'createInvite',
        { subscriptionId, email, permissions: [] },
        { token: owner.token, headers: { 'idempotency-key': `round-${round}` } },
      )
    const makeRoom = () =>
      owner.call('revokeInvite', { subscriptionId, inviteId: filler.result!.inviteId })
    // In every third round no seat becomes free.
    const [first, second] = await Promise.all([
      invite(world),
      invite(other),
      round % 3 === 0 || makeRoom(),
    ])
    const again = await invite(world)
    const isInvited = (await store.invites.listOpen(subscriptionId, now())).includes(email)
    const outcomes = [first, second, again].map((answer) => reasonOf(answer) ?? 'done')
    expect(outcomes, `round ${round}`).toEqual(
      Array.from({ length: 3 }, () => (isInvited ? 'done' : 'seatsFull')),
    )
    expect([second.error, again.error], `round ${round}`).toEqual([first.error, first.error])
    seen.add(outcomes[0])
    await store.invites.revokeAll(subscriptionId, now())
  }
  expect(seen).toEqual(new Set(['done', 'seatsFull']))
})

test('answers stored for idempotency contain no password or token, and the hashes of their requests cannot be guessed', async () => {
  const { world, id: subscriptionId, owner } = await aProject()
  const { pool } = world
  const { email, password, cookie } = owner
  const headers = { 'idempotency-key': 'one-key', cookie }
  await owner.call('signIn', { email, password }, headers)
  await owner.call('signUp', { fullName: 'Bob', email: 'bob@example.com', password }, headers)
  await owner.call('refreshSession', {}, headers)
  await owner.call('reauthenticate', { password }, headers)
  await owner.call('updatePassword', { newPassword: 'battery staple' }, headers)
  await owner.call('createSetupIntent', { subscriptionId }, headers)
  expect((await pool.query('select from idempotency_keys')).rowCount).toBe(0)

  const data = { displayName: 'Ann' }
  await owner.call('updateProfile', data, headers)
  const { rows } = await pool.query<{ request: string }>('select request from idempotency_keys')
  const fast = createHash('sha256')
    .update(JSON.stringify(['updateProfile', data]))
    .digest('base64url')
  expect(rows).toEqual([{ request: expect.not.stringContaining(fast) }])
})

test('the secret of a payment is stored sealed, and a repeated request gets it again', async () => {
  const [world, ann] = await aWorldWith('ann')
  const card = billingInfo('pm_card_authenticationRequired')
  const options = { token: ann.token, headers: { 'idempotency-key': 'one-key' } }
  const buy = (at: World) =>
    at.call('createSubscription', { planId: 'pro', billingInfo: card }, options)
  const { clientSecret } = (await buy(world)).result!
  expect(clientSecret).toMatch(/_secret_/)
  const { rows } = await world.pool.query('select answer from idempotency_keys')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(clientSecret)
  expect((await buy(world)).result).toMatchObject({ clientSecret })
  await world.stop()
  const rotated = await openWorld(world.connection, { SECRET_KEY: `${newKey()},${secretKey}` })
  expect((await buy(rotated)).result).toMatchObject({ clientSecret })
})
