import { rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aWorld, billingInfo, reasonOf } from '../../tests/world.ts'

const day = 24 * 3600

async function aBuyer() {
  const world = await aWorld()
  return { world, buyer: await world.aPerson('buyer') }
}

test('a purchase costs and renews as its preview says, whatever the provider’s clock says', async () => {
  const { world, buyer } = await aBuyer()
  await world.passAtProvider(100 * day)
  const { preview } = await buyer.does('previewSubscription', { planId: 'pro' })
  expect(preview).toEqual({
    currency: 'usd',
    lines: [{ kind: 'week', plan_id: 'pro', amount: 1000 }],
    credit_used: 0,
    due: 1000,
    credited: 0,
    weekly: 1000,
    next_charge: expect.any(Number),
  })
  const { subscriptionId } = await buyer.buys()
  const { subscription } = await buyer.does('getSubscription', { subscriptionId })
  expect(subscription.weekly).toBe(preview.weekly)
  expect(Math.abs(subscription.renews! - preview.next_charge!)).toBeLessThan(60)
  const { invoices } = await buyer.does('listInvoices', { subscriptionId })
  expect(invoices[0]).toMatchObject({ amount_paid: preview.due })
})

test('the preview of a free project’s first plan uses the provider’s clock', async () => {
  const { world, buyer } = await aBuyer()
  const { subscriptionId } = await buyer.starts()
  await world.passAtProvider(100 * day)
  const { preview } = await buyer.does('previewPlanChange', {
    subscriptionId,
    planId: 'pro',
    address: { country: 'DE' },
  })
  await buyer.call('changeSubscriptionPlan', {
    subscriptionId,
    planId: 'pro',
    billingInfo: billingInfo('pm_card_visa'),
  })
  const { subscription } = await buyer.does('getSubscription', { subscriptionId })
  expect(Math.abs(subscription.renews! - preview.next_charge!)).toBeLessThan(60)
})

test('a free plan costs nothing, and a plan that is not sold has no preview', async () => {
  const { buyer } = await aBuyer()
  const preview = (planId: string) => buyer.call('previewSubscription', { planId })
  expect((await preview('free')).result!.preview).toMatchObject({
    lines: [],
    due: 0,
    weekly: 0,
    next_charge: null,
  })
  expect(reasonOf(await preview('gold'))).toBe('planNotAvailable')
  expect(reasonOf(await preview('diamond'))).toBe('planNotFound')
})

test('a preview accepts a partial address and refuses an unknown country', async () => {
  const { buyer } = await aBuyer()
  const preview = (address: { country: string; state?: string; postal_code?: string }) =>
    buyer.call('previewSubscription', { planId: 'pro', address: address as { country: 'DE' } })
  expect((await preview({ country: 'DE' })).status).toBe(200)
  expect((await preview({ country: 'US', state: 'IL', postal_code: '62701' })).status).toBe(200)
  expect(reasonOf(await preview({ country: 'Atlantis' }))).toBe('invalidInput')
})

test('while the provider is away, a purchase has no preview', async () => {
  const { world, buyer } = await aBuyer()
  await world.control({ api: { fault: 'break' } })
  await buyer.cannot('previewSubscription', { planId: 'pro' }, 'paymentsUnavailable')
  await world.control({ reset: true })
  await buyer.does('previewSubscription', { planId: 'pro' })
})

test('previews are limited per account', async () => {
  const { world, buyer } = await aBuyer()
  await world.useUp('previewsByAccount', buyer.uid, rateLimits.previewsByAccount.tries)
  await buyer.cannot('previewSubscription', { planId: 'pro' }, 'auth/too-many-requests')
  const other = await world.aPerson('other')
  await other.does('previewSubscription', { planId: 'pro' })
})

test('a tax id given with a purchase is on the first invoice', async () => {
  const { world, buyer } = await aBuyer()
  const tax_id = { type: 'eu_vat', value: 'DE123456789' } as const
  const bought = await buyer.call('createSubscription', {
    planId: 'pro',
    billingInfo: { ...billingInfo('pm_card_visa'), tax_id },
  })
  const { subscriptionId } = bought.result!
  expect(await buyer.does('getBillingDetails', { subscriptionId })).toMatchObject({ tax_id })
  const [invoice] = await buyer.invoices(subscriptionId)
  const page = await world.request(await world.providerAddress(invoice!.hosted_invoice_url!))
  expect(await page.text()).toContain('DE123456789')
})

test('with a wrong tax id nothing is bought', async () => {
  const { buyer } = await aBuyer()
  const tax_id = { type: 'eu_vat', value: 'nonsense' } as const
  const refused = await buyer.call('createSubscription', {
    planId: 'pro',
    billingInfo: { ...billingInfo('pm_card_visa'), tax_id },
  })
  expect(reasonOf(refused)).toBe('taxIdInvalid')
  expect(await buyer.projects()).toEqual([])
})

test('the preview of an overdue payment is what is left after credit, and what is charged', async () => {
  const { world, buyer } = await aBuyer()
  const { subscriptionId } = await buyer.buys()
  const preview = () => buyer.call('previewPayment', { subscriptionId })
  expect((await preview()).result).toEqual({ owed: null })
  await buyer.changesPlan(subscriptionId, 'enterprise')
  await world.passAtProvider(5 * day)
  await buyer.changesPlan(subscriptionId, 'pro')
  const good = (await buyer.cards(subscriptionId))[0]!.id
  await world.payWith(buyer, subscriptionId, 'pm_card_chargeCustomerFail')
  await world.passAtProvider(3 * day)
  const { due, currency } = (await preview()).result!.owed!
  expect(due).toBeGreaterThan(0)
  expect(due).toBeLessThan(1000)
  expect(currency).toBe('usd')
  await buyer.call('payInvoice', { subscriptionId, paymentMethodId: good })
  await world.untilWorkedOff()
  const [invoice] = await buyer.invoices(subscriptionId)
  expect(invoice).toMatchObject({ total: 1000, status: 'paid', amount_paid: due })
})
