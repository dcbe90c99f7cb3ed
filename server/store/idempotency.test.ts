import { expect, test } from 'vitest'
import { aWorld } from '../../tests/world.ts'

test('a server that counts as dead does not take its own claims over, and another server does', async () => {
  const world = await aWorld()
  const { uid } = await world.aPerson('ann')
  const { idempotency } = world.services.store
  const now = new Date()
  const claim = (by: string) =>
    idempotency.claim({ userId: uid, key: 'k', request: 'r', by, now, leftBefore: now })
  expect(await claim('a server')).toEqual({ begun: null })
  expect(await claim('a server')).toBeUndefined()
  expect(await claim('another')).toEqual({ begun: null })
})

test('the claim of a living server is never left, however old it is', async () => {
  const world = await aWorld()
  const { uid } = await world.aPerson('ann')
  const { idempotency } = world.services.store
  const now = new Date()
  const later = new Date(now.getTime() + 3_600_000)
  const claim = (by: string, leftBefore = now) =>
    idempotency.claim({ userId: uid, key: 'k', request: 'r', by, now, leftBefore })
  await claim(world.services.serverId)
  expect(await claim('another', later)).toBeUndefined()
})
