// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { Address } from '#contract/entities.ts'
import { day, week } from '@local/sandbox/testing'
import { aDashboard, aLoggedWorld } from '../../tests/a-billed-project.ts'
import { billingInfo, openWorld, reasonOf, type Person } from '../../tests/world.ts'

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

const taxing = { STRIPE_TAX: '1' }

/** A server with an owner, and functions of the payment provider's dashboard. */
async function aWorldWithTax(environment: Record<string, string> = taxing) {
  const { world, lines } = await aLoggedWorld('error', environment)
  const dashboard = await aDashboard(world)
  const owner = await world.aPerson('owner')
  const buys = async (address: Address) => {
    const { billingDetails, paymentMethodId } = billingInfo('pm_card_visa')
    const bought = await owner.call('createSubscription', {
      planId: 'pro',
      billingInfo: { billingDetails: { ...billingDetails, address }, paymentMethodId },
    })
    await world.untilWorkedOff()
    return bought
  }
  const passes = async (seconds: number) => {
    await dashboard.advance(seconds)
    await world.untilWorkedOff()
  }
  return { world, owner, buys, passes, lines, ...dashboard }
}

/** A project whose owner has a billing address in Berlin and has paid with tax. */
async function aTaxedProject() {
  const taxed = await aWorldWithTax()
  const { subscriptionId } = (await taxed.buys(berlin)).result!
  return { ...taxed, subscriptionId }
}

async function newestInvoice(owner: Person, subscriptionId: string) {
  return (await owner.invoices(subscriptionId))[0]!
}

test('a purchase and a plan change cost the tax that their previews showed', async () => {
  const { owner, subscriptionId } = await aTaxedProject()
  expect(await newestInvoice(owner, subscriptionId)).toMatchObject({
    total: 1190,
    amount_paid: 1190,
  })
  const wish = { subscriptionId, planId: 'enterprise' }
  const { preview } = await owner.does('previewPlanChange', wish)
  expect(preview).toMatchObject({
    due: 2380,
    lines: [{ kind: 'unused' }, { kind: 'remaining' }, { kind: 'tax', amount: 380, plan_id: null }],
  })
  expect(await owner.does('changeSubscriptionPlan', wish)).toEqual({})
  expect(await newestInvoice(owner, subscriptionId)).toMatchObject({
    total: preview.due,
    amount_paid: preview.due,
  })
})

test('a business in the EU that gives its tax id pays no tax', async () => {
  const { owner, subscriptionId } = await aTaxedProject()
  const tax_id = { type: 'eu_vat', value: 'DE123456789' } as const
  await owner.updatesBilling(subscriptionId, { address: berlin, tax_id })
  const wish = { subscriptionId, planId: 'enterprise' }
  const { preview } = await owner.does('previewPlanChange', wish)
  expect(preview.lines.map(({ kind }) => kind)).toEqual(['unused', 'remaining'])
  expect(preview.due).toBe(2000)
})

test('without STRIPE_TAX no tax is charged; a project bought before STRIPE_TAX was set pays tax from its next plan change on', async () => {
  const before = await aWorldWithTax({})
  const { owner } = before
  const { subscriptionId } = (await before.buys(berlin)).result!
  expect(await newestInvoice(owner, subscriptionId)).toMatchObject({ total: 1000 })
  await before.world.stop()
  const world = await openWorld(before.world.connection, taxing)
  const asOwner = { token: owner.token }
  const wish = { subscriptionId, planId: 'enterprise' }
  const { preview } = await world.does('previewPlanChange', wish, asOwner)
  const ending = await world.does('previewPlanChange', { ...wish, planId: 'free' }, asOwner)
  expect(ending.preview).toMatchObject({ lines: [{ kind: 'unused' }], credited: 1000 })
  expect(preview.lines.at(-1)).toMatchObject({ kind: 'tax', amount: 380 })
  expect(await world.does('changeSubscriptionPlan', wish, asOwner)).toEqual({})
  const { invoices } = await world.does('listInvoices', { subscriptionId }, asOwner)
  expect(invoices[0]).toMatchObject({ total: preview.due, status: 'paid' })
})

test('a billing address for which tax can’t be calculated is refused, at the purchase and later, and is not stored', async () => {
  const { owner, buys, stripe } = await aWorldWithTax()
  expect(reasonOf(await buys(nowhere))).toBe('taxLocationInvalid')
  expect(await owner.projects()).toEqual([])
  expect((await stripe.customers.list()).data).toEqual([])
  const { subscriptionId } = (await buys(berlin)).result!
  const moved = await owner.updatesBilling(subscriptionId, { address: nowhere })
  expect(reasonOf(moved)).toBe('taxLocationInvalid')
  expect(await owner.does('getBillingDetails', { subscriptionId })).toMatchObject({
    address: { city: 'Berlin' },
  })
})

test('an invoice that the provider can’t finalize is logged as an error, and paid once the owner gives another address', async () => {
  const { owner, subscriptionId, passes, stripe, lines } = await aTaxedProject()
  const project = () => owner.project(subscriptionId)
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
  await owner.updatesBilling(subscriptionId, { address: berlin })
  expect(await owner.does('payInvoice', { subscriptionId })).toEqual({})
  expect(await project()).toMatchObject({ payment: 'ok' })
  expect(await newestInvoice(owner, subscriptionId)).toMatchObject({
    id,
    status: 'paid',
    amount_paid: 1190,
  })
})

test('an invoice that could not be finalized is no longer overdue after an operator finalized it in Stripe’s dashboard', async () => {
  const { owner, subscriptionId, passes, stripe } = await aTaxedProject()
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
