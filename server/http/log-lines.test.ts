import { rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { openTab } from '../../tests/tab.ts'
import { deliver, event } from '../../tests/webhook.ts'
import { aLog, aWorld, openWorld } from '../../tests/world.ts'
import { pseudonym } from '../platform/keyed-hash.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

async function aLoggedWorld() {
  const { lines, log } = aLog('info')
  const world = await aWorld({}, log)
  const named = (name: string) =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === name)
  return { world, named }
}

test('the line of a call has its person, project, status and time, and the trace that the caller sent', async () => {
  const { world, named } = await aLoggedWorld()
  const { id, owner } = await world.aProject()
  const headers = { traceparent, 'x-request-id': 'of-the-caller' }
  await owner.call('getSubscription', { subscriptionId: id }, headers)
  const user = pseudonym(world.services.keyedHash, owner.uid)
  expect(named('a call').at(-1)).toEqual({
    level: 30,
    time: expect.any(Number),
    pid: process.pid,
    hostname: expect.any(String),
    requestId: 'of-the-caller',
    traceId,
    address: expect.any(String),
    user,
    subscription: id,
    call: 'getSubscription',
    status: 200,
    ms: expect.any(Number),
    msg: 'a call',
  })
})

test('the line of a call names a project only if it exists, not what a caller made up', async () => {
  const { world, named } = await aLoggedWorld()
  const { id, owner } = await world.aProject({ plan: 'pro' })
  const made = { subscriptionId: 'x\r\nBcc: x@evil.example' }
  await owner.call('getSubscription', made)
  await owner.call('updateSubscriptionSettings', { ...made, settings: {} })
  await owner.call('getPaymentMethods', made)
  await owner.call('cancelSubscription', { ...made, confirmationId: 'x' })
  expect(named('a call').filter((line) => 'subscription' in line)).toEqual([])
  const [stranger] = await world.somePeople('eve')
  await owner.call('updateSubscriptionSettings', { subscriptionId: id, settings: { name: 'x' } })
  await stranger.call('getSubscription', { subscriptionId: id })
  await owner.call('cancelSubscription', { subscriptionId: id, confirmationId: 'x' })
  const lines = named('a call').filter((line) => 'subscription' in line)
  expect(lines.map(({ subscription }) => subscription)).toEqual([id, id, id])
})

test('the line of a refused call has the reason, and the rate limit if there was one', async () => {
  const { world, named } = await aLoggedWorld()
  const ann = await world.aPerson('ann')
  await world.useUp('verificationByAccount', ann.uid, rateLimits.verificationByAccount.tries)
  await ann.call(
    'sendVerificationEmail',
    {},
    { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` },
  )
  const line = named('a call').at(-1)
  expect(line).toMatchObject({
    status: 429,
    refused: 'auth/too-many-requests',
    limit: 'verificationByAccount',
  })
  expect(line).not.toHaveProperty('traceId')
})

test('webhooks and live streams have lines with their status', async () => {
  const { world, named } = await aLoggedWorld()
  const ann = await world.aPerson('ann')
  await deliver(world, event('evt_1', 'customer.updated', { id: 'cus_1', object: 'customer' }))
  await deliver(world, '{}', 'unsigned')
  expect(named('a webhook')).toMatchObject([
    { status: 200, event: 'evt_1', type: 'customer.updated' },
    { status: 400, refused: 'signature' },
  ])
  await openTab(world, ann.token)
  await world.request('/live')
  const user = pseudonym(world.services.keyedHash, ann.uid)
  expect(named('a live stream')).toMatchObject([
    { status: 200, user },
    { status: 401, refused: 'notSignedIn' },
  ])
})

test('while the database is away, a page that needs it has a line without what its address holds', async () => {
  const { connection } = await aDatabase()
  const proxy = await aDatabaseProxy(connection)
  const { lines, log } = aLog('info')
  const world = await openWorld(proxy.connection, {}, log)
  const named = (name: string) =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === name)
  proxy.cut()
  await world.request('/invoices/secret')
  expect(named('a request was not answered')).toMatchObject([
    { method: 'GET', route: '/invoices/:file', status: 503 },
  ])
  expect(lines.join('')).not.toContain('secret')
})
