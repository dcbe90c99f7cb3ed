// @module-tag slow
import { expect, test } from 'vitest'
import { anOtlpReceiver, type ReceivedSpan } from '../../tests/otlp.ts'
import { aLog, aWorld, billingInfo } from '../../tests/world.ts'
import { version } from '../platform/version.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

async function aTracedWorld(environment: Record<string, string> = {}) {
  const receiver = await anOtlpReceiver()
  const { lines, log } = aLog('info')
  const world = await aWorld({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...environment }, log)
  return { world, receiver, lines }
}

function tree(spans: ReceivedSpan[], parentId: string): unknown[] {
  return spans
    .filter((span) => span.parentId === parentId)
    .map(({ name, spanId }) => [name, ...tree(spans, spanId)])
}

test('a trace that a caller has begun goes on with the request, the call, its statements and its requests to the provider', async () => {
  const { world, receiver, lines } = await aTracedWorld()
  const owner = await world.aPerson('owner')
  const plan = { planId: 'pro', billingInfo: billingInfo('pm_card_visa') } as const
  await owner.call('createSubscription', plan, { traceparent })
  await world.untilWorkedOff()
  await world.stop()

  const spans = receiver.spans.filter((span) => span.traceId === traceId)
  const request = spans.find((span) => span.parentId === 'b7ad6b7169203331')
  expect(request).toMatchObject({
    service: { 'service.name': 'pergola', 'service.version': version },
    name: 'POST /api/:name',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/:name',
      'http.response.status_code': 200,
    },
    isError: false,
  })
  const [call] = tree(spans, request!.spanId) as [string, ...unknown[]][]
  expect(call![0]).toBe('createSubscription')
  const below = call!.slice(1).map((child) => (child as string[])[0])
  expect(below).toContain('stripe POST /v1/subscriptions')
  expect(below).toEqual(expect.arrayContaining(['begin', 'commit']))
  const line = lines
    .map((line) => JSON.parse(line))
    .find((line) => line.call === 'createSubscription')
  expect(line).toMatchObject({ traceId, spanId: request!.spanId })
})

test('jobs have traces of their own, and their lines name them', async () => {
  const { world, receiver, lines } = await aTracedWorld()
  await world.signUp('ann')
  await world.untilWorkedOff()
  await world.stop()
  const span = receiver.spans.find(({ name }) => name === 'process sendSealedMail')!
  expect(span).toMatchObject({
    parentId: '',
    attributes: { 'messaging.destination.name': 'sendSealedMail' },
    isError: false,
  })
  const line = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'a job')
  expect(line).toMatchObject({ traceId: span.traceId, spanId: span.spanId })
})

test('no span holds what people typed, their addresses, secrets, ids, or the values of statements', async () => {
  const { world, receiver } = await aTracedWorld()
  const ann = await world.aPerson('ann')
  const { id } = await world.aProject()
  await ann.call('getSubscription', { subscriptionId: id })
  await world.request('/invoices/a-secret-token')
  await world.request('/healthz')
  await world.stop()
  expect(receiver.spans.length).toBeGreaterThan(20)
  for (const secret of [ann.email, ann.uid, ann.token, ann.password, id, 'a-secret-token'])
    expect(receiver.text()).not.toContain(secret)
  expect(receiver.text()).not.toContain('healthz')
})

test('a call that fails through our fault is an error in its trace, and a refused call is not', async () => {
  const { world, receiver } = await aTracedWorld()
  await world.signIn({ email: 'nobody@example.com', password: 'a wrong one' })
  await world.pool.query('alter table users rename to lost')
  await world.signIn({ email: 'nobody@example.com', password: 'a wrong one' })
  await world.stop()
  const calls = receiver.spans.filter(({ name }) => name === 'signIn')
  expect(calls.map(({ isError, attributes }) => [isError, attributes['error.type']])).toEqual([
    [false, 'unauthenticated'],
    [true, 'internal'],
  ])
})

test('a sampler keeps only a part of the traces', async () => {
  const { world, receiver } = await aTracedWorld({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
  const ann = await world.aPerson('ann')
  await ann.call('getUser', {}, { traceparent })
  await world.stop()
  expect(new Set(receiver.spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
})

test('a collector that can not be reached, or refuses, costs nobody an answer', async () => {
  const { lines, log } = aLog('warn')
  const receiver = await anOtlpReceiver({ status: 403 })
  for (const url of ['http://127.0.0.1:1', receiver.url]) {
    const world = await aWorld({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, log)
    const ann = await world.aPerson('ann')
    expect((await ann.call('getUser', {})).status).toBe(200)
    await world.stop()
  }
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not take them',
  ])
})
