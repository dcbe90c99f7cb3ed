import { pino } from 'pino'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { Address } from '#contract/entities.ts'
import { aDatabase } from '../../tests/database.ts'
import { aSandbox, day, week } from '@atrium/sandbox/testing'
import { billingInfo, openWorld, reasonOf, webhookSecret, type Person } from '../../tests/world.ts'

const berlin = {
  line1: 'Invalidenstraße 1',
  city: 'Berlin',
  state: 'BE',
  postal_code: '10115',
  country: 'DE',
}
const nowhere = {
  line1: '1 Main Street',
  city: 'Nowhere',
  state: 'IL',
  postal_code: '00000',
  country: 'US',
}

function infoAt(address: Address, card = 'pm_card_visa') {
  const { billingDetails, paymentMethodId } = billingInfo(card)
  return { billingDetails: { ...billingDetails, address }, paymentMethodId }
}

const taxing = { STRIPE_TAX: '1' }

/** An owner, and the operator at the provider's dashboard. */
async function aWorldWithTax(
  environment: Record<string, string> = taxing,
  database?: Awaited<ReturnType<typeof aDatabase>>,
) {
  const lines: Record<string, unknown>[] = []
  const { pool, connection } = database ?? (await aDatabase())
  const log = pino(
    { level: 'error' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  )
  const world = await openWorld(connection, environment, log)
  const dashboard = await aSandbox({
    pool,
    webhookSecret,
    prices: [],
    deliver: async (body, headers) =>
      (await world.request('/webhooks/stripe', { method: 'POST', body, headers })).status,
  })
  const buys = async (owner: Person, address: Address) => {
    const bought = await owner.call('createSubscription', {
      planId: 'pro',
      billingInfo: infoAt(address),
    })
    await world.untilWorkedOff()
    return bought
  }
  const passes = async (seconds: number) => {
    await dashboard.advance(seconds)
    await world.untilWorkedOff()
  }
  return { world, buys, passes, lines, ...dashboard }
}

async function newestInvoice(owner: Person, subscriptionId: string) {
  return (await owner.does('listInvoices', { subscriptionId, page: 1, pageSize: 10 })).invoices[0]!
}

test('tax is added to a purchase and a change as the preview says', async () => {
  const { world, buys } = await aWorldWithTax()
  const owner = await world.aPerson('owner')
  const { subscriptionId } = (await buys(owner, berlin)).result!
  expect(await newestInvoice(owner, subscriptionId)).toMatchObject({
    total: 1190,
    amount_paid: 1190,
  })
  const { preview } = await owner.does('previewPlanChange', {
    subscriptionId,
    planId: 'enterprise',
  })
  expect(preview).toMatchObject({
    due: 2380,
    lines: [{ kind: 'unused' }, { kind: 'remaining' }, { kind: 'tax', amount: 380, plan_id: null }],
  })
  expect(
    await owner.does('changeSubscriptionPlan', { subscriptionId, planId: 'enterprise' }),
  ).toEqual({})
  expect(await newestInvoice(owner, subscriptionId)).toMatchObject({
    total: preview.due,
    amount_paid: preview.due,
  })
})

test('a business in the EU with a tax id pays no tax', async () => {
  const { world, buys } = await aWorldWithTax()
  const owner = await world.aPerson('owner')
  const { subscriptionId } = (await buys(owner, berlin)).result!
  const tax_id = { type: 'eu_vat', value: 'DE123456789' } as const
  await owner.updatesBilling(subscriptionId, { address: berlin, tax_id })
  const { preview } = await owner.does('previewPlanChange', {
    subscriptionId,
    planId: 'enterprise',
  })
  expect(preview.lines.map(({ kind }) => kind)).toEqual(['unused', 'remaining'])
  expect(preview.due).toBe(2000)
})

test('without STRIPE_TAX there is no tax; a project from before has tax from its next change on', async () => {
  const database = await aDatabase()
  const before = await aWorldWithTax({}, database)
  const owner = await before.world.aPerson('owner')
  const { subscriptionId } = (await before.buys(owner, berlin)).result!
  expect(await newestInvoice(owner, subscriptionId)).toMatchObject({ total: 1000 })
  await before.world.stop()
  const { world } = await aWorldWithTax(taxing, database)
  const asOwner = { token: owner.token }
  const wish = { subscriptionId, planId: 'enterprise' }
  const { preview } = await world.does('previewPlanChange', wish, asOwner)
  const ending = (
    await world.does('previewPlanChange', { subscriptionId, planId: 'free' }, asOwner)
  ).preview
  expect(ending).toMatchObject({ lines: [{ kind: 'unused' }], credited: 1000 })
  expect(preview.lines.at(-1)).toMatchObject({ kind: 'tax', amount: 380 })
  expect(await world.does('changeSubscriptionPlan', wish, asOwner)).toEqual({})
  const listed = await world.call(
    'listInvoices',
    { subscriptionId, page: 1, pageSize: 10 },
    asOwner,
  )
  expect(listed.result!.invoices[0]).toMatchObject({ total: preview.due, status: 'paid' })
})

test('an address without calculable tax is refused at the purchase and later, and is not stored', async () => {
  const { world, buys, stripe } = await aWorldWithTax()
  const owner = await world.aPerson('owner')
  expect(reasonOf(await buys(owner, nowhere))).toBe('taxLocationInvalid')
  expect(await owner.projects()).toEqual([])
  expect((await stripe.customers.list()).data).toEqual([])
  const { subscriptionId } = (await buys(owner, berlin)).result!
  const { billingDetails } = infoAt(nowhere)
  await owner.cannot(
    'updateBillingDetails',
    { subscriptionId, ...billingDetails },
    'taxLocationInvalid',
  )
  expect(await owner.does('getBillingDetails', { subscriptionId })).toMatchObject({
    address: { city: 'Berlin' },
  })
})

test('an invoice that can not be finalized is logged, and paid once the owner gives another address', async () => {
  const { world, buys, passes, stripe, lines } = await aWorldWithTax()
  const owner = await world.aPerson('owner')
  const { subscriptionId } = (await buys(owner, berlin)).result!
  const project = async () => await owner.project(subscriptionId)
  const [customer] = (await stripe.customers.list()).data
  const { state: _, ...unknown } = nowhere
  const change: Stripe.CustomerUpdateParams = {
    address: unknown,
    tax: { validate_location: 'deferred' },
  }
  await stripe.customers.update(customer!.id, change)
  await passes(week + day)
  const { id, status } = await newestInvoice(owner, subscriptionId)
  expect(status).toBe('draft')
  expect(lines).toContainEqual(
    expect.objectContaining({
      subscription: subscriptionId,
      invoice: id,
      code: 'customer_tax_location_invalid',
      level: 50,
    }),
  )
  expect(await project()).toMatchObject({ status: 'active', payment: 'past_due' })
  await owner.cannot('payInvoice', { subscriptionId }, 'taxLocationInvalid')
  await owner.call('updateBillingDetails', { subscriptionId, ...infoAt(berlin).billingDetails })
  expect(await owner.does('payInvoice', { subscriptionId })).toEqual({})
  expect(await project()).toMatchObject({ payment: 'ok' })
  expect(await newestInvoice(owner, subscriptionId)).toMatchObject({
    id,
    status: 'paid',
    amount_paid: 1190,
  })
})

test('an invoice that the operator finalizes at the provider is no longer owed here', async () => {
  const { world, buys, passes, stripe } = await aWorldWithTax()
  const owner = await world.aPerson('owner')
  const { subscriptionId } = (await buys(owner, berlin)).result!
  const payment = async () => (await owner.project(subscriptionId)).payment
  const [customer] = (await stripe.customers.list()).data
  await stripe.customers.update(customer!.id, {
    address: { country: '' },
    tax: { validate_location: 'deferred' },
  })
  await passes(week + day)
  expect(await payment()).toBe('past_due')
  await stripe.customers.update(customer!.id, { address: { country: 'DE' } })
  await stripe.invoices.pay((await newestInvoice(owner, subscriptionId)).id)
  await passes(1)
  expect(await payment()).toBe('ok')
})
