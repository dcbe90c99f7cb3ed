// @module-tag slow
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aLog, aWorld, inParallel } from '../../tests/world.ts'
import { deliver, event, sign } from '../../tests/webhook.ts'

async function aPaidProject() {
  const billed = await aBilledProject()
  const { providerSubscriptionId } = await billed.row()
  return { ...billed, plan: { id: providerSubscriptionId!, object: 'subscription' } }
}

test('a webhook with a wrong, missing or old signature is refused and not stored', async () => {
  const { world, plan } = await aPaidProject()
  const payload = event('evt_forged', 'customer.subscription.deleted', plan)
  const stale = Math.floor(Date.now() / 1000) - 301
  for (const signature of [
    '',
    'nonsense',
    sign(payload, { secret: 'whsec_other' }),
    sign(payload, { timestamp: stale }),
    sign(`${payload} `),
  ])
    expect((await deliver(world, payload, signature)).status, signature).toBe(400)
  expect(await world.services.store.providerEvents.find('evt_forged')).toBeUndefined()
})

test('a webhook with a malformed signature is refused before its body is read, and not logged as an error', async () => {
  const { lines, log } = aLog('warn')
  const world = await aWorld({}, log)
  const signature = 'a'.repeat(64)
  for (const header of [
    '',
    't=1',
    't=1,v1=',
    't=1,v1=abc',
    `t=,v1=${signature}`,
    `t=now,v1=${signature}`,
    `v1=${signature}`,
  ]) {
    const body = new ReadableStream(
      { pull: () => expect.unreachable('the body is read') },
      { highWaterMark: 0 },
    )
    const init = { method: 'POST', headers: { 'stripe-signature': header }, body, duplex: 'half' }
    expect((await world.request('/webhooks/stripe', init)).status, header).toBe(400)
  }
  expect((await deliver(world, 'no event', `t=1,v1=${signature}`)).status).toBe(400)
  expect(lines).toEqual([])
})

test('a webhook that is sent several times, in a row or at once, is stored and processed once', async () => {
  const { world, plan } = await aPaidProject()
  const payload = event('evt_twice', 'customer.subscription.updated', plan)
  const answers = await inParallel(5, () => deliver(world, payload))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await world.untilWorkedOff()
  expect(await world.services.store.providerEvents.find('evt_twice')).toMatchObject({
    processedAt: expect.any(Date),
  })
})

test('webhooks that come in the wrong order do no harm, because each one makes the server read the current state from the payment provider', async () => {
  const { world, project, invoices, plan } = await aPaidProject()
  await world.untilWorkedOff()
  const state = async () => [await project(), await invoices()]
  const before = await state()
  for (const type of [
    'customer.subscription.deleted',
    'customer.subscription.created',
    'invoice.payment_failed',
  ])
    await deliver(world, event(`evt_late_${type}`, type, plan))
  await world.untilWorkedOff()
  expect(await state()).toEqual(before)
})

test('webhooks about objects of other products in the same Stripe account are accepted and ignored', async () => {
  const { world } = await aPaidProject()
  for (const object of [
    { id: 'sub_of_others', object: 'subscription' },
    { id: 'in_of_others', object: 'invoice' },
    { id: 'cus_of_others', object: 'customer' },
  ]) {
    const { status } = await deliver(world, event(`evt_${object.id}`, 'updated', object))
    expect(status).toBe(200)
  }
  await world.untilWorkedOff()
  expect(await world.services.store.providerEvents.find('evt_sub_of_others')).toMatchObject({
    processedAt: expect.any(Date),
  })
})

test('a signed webhook whose body is not a Stripe event is refused', async () => {
  const world = await aWorld()
  for (const payload of [
    '{',
    'null',
    '[]',
    '{}',
    '{"id":5}',
    '{"id":"evt_1","type":"x","data":{"object":null}}',
    '{"id":"evt_1","type":"x","data":{"object":{"id":"y"}}}',
  ])
    expect((await deliver(world, payload)).status, payload).toBe(400)
})

test('a webhook about an object without an id is acknowledged, but not stored', async () => {
  const world = await aWorld()
  const payload = JSON.stringify({
    id: 'evt_upcoming',
    object: 'event',
    type: 'invoice.upcoming',
    data: { object: { object: 'invoice' } },
  })
  expect((await deliver(world, payload)).status).toBe(200)
  expect(await world.services.store.providerEvents.find('evt_upcoming')).toBeUndefined()
})
