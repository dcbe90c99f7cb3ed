// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { aWorld, openWorld } from '../../tests/world.ts'

test('a worker sends the mails of a server that runs no jobs, and answers only /healthz, /readyz and /metrics', async () => {
  const token = { METRICS_TOKEN: 'token-of-the-operator' }
  const web = await aWorld({ ROLE: 'web' })
  await web.signUp('ann')
  expect(await web.mails('ann@example.com')).toEqual([])
  const worker = await openWorld(web.connection, { ROLE: 'worker', ...token })
  await web.untilWorkedOff()
  expect(await web.mails('ann@example.com')).toHaveLength(1)

  const statusOf = async (path: string, init?: RequestInit) =>
    (await worker.request(path, init)).status
  const authorization = 'Bearer token-of-the-operator'
  while ((await statusOf('/readyz')) !== 200);
  expect(await statusOf('/healthz')).toBe(200)
  expect(await statusOf('/metrics', { headers: { authorization } })).toBe(200)
  expect(await statusOf('/metrics')).toBe(401)
  for (const path of ['/', '/signin', '/live', '/dev/mail', '/sandbox', '/pricing', '/invoices/x'])
    expect(await statusOf(path), path).toBe(404)
  for (const path of ['/api/getUser', '/webhooks/stripe'])
    expect(await statusOf(path, { method: 'POST' }), path).toBe(404)
})

test('a worker carries out what a purchase on a server without jobs leaves for later', async () => {
  const web = await aWorld({ ROLE: 'web' })
  await openWorld(web.connection, { ROLE: 'worker' })
  const owner = await web.aPerson('owner')
  const { subscriptionId } = await owner.buys()
  await web.passAtProvider(8 * 24 * 3600)
  expect(await owner.invoices(subscriptionId)).toHaveLength(2)
})

test('a worker that can not reach the database without the pooler is not ready', async () => {
  const { connection } = await aDatabase()
  const direct = await aDatabaseProxy(connection)
  const log = pino({ level: 'silent' })
  const worker = await openWorld(connection, { ROLE: 'worker' }, log, direct.connection)
  const statusIs = async (status: number) => {
    while ((await worker.request('/readyz')).status !== status) await delay(10)
  }
  await statusIs(200)
  direct.cut()
  await statusIs(503)
  direct.restore()
  await statusIs(200)
})
