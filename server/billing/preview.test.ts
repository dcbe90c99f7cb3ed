// @module-tag slow
import { readLimits } from '#config/limits.ts'
import type { TaxId } from '#contract/entities.ts'
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aWorld, billingInfo, reasonOf } from '../../tests/world.ts'

const day = 24 * 3600

async function aBuyer() {
  const world = await aWorld()
  return { world, buyer: await world.aPerson('buyer') }
}

function buying(tax_id: TaxId) {
  return { planId: 'pro', billingInfo: { ...billingInfo('pm_card_visa'), tax_id } }
}

test('a purchase has the price and the renewal date of its preview, even if the payment provider’s clock differs from ours', async () => {
  const { world, buyer } = await aBuyer()
  await world.passAtProvider(100 * day)
  const { preview } = await buyer.does('previewSubscription', { planId: 'pro' })
  expect(preview).toEqual({
    currency: 'usd',
    lines: [{ kind: 'week', plan_id: 'pro', amount: 1000 }],
    credit_used: 0,
    credit_left: 0,
    due: 1000,
    credited: 0,
    starts: 'now',
    recurring: { amount: 1000, currency: 'usd', frequency: 'week', every: 1 },
    weekly: 1000,
    next_charge: expect.any(Number),
    discount: null,
    trial_ends: null,
  })
  const { subscriptionId } = await buyer.buys()
  const { weekly, renews } = await buyer.project(subscriptionId)
  expect(weekly).toBe(preview.weekly)
  expect(Math.abs(renews! - preview.next_charge!)).toBeLessThan(60)
  expect((await buyer.invoices(subscriptionId))[0]).toMatchObject({ amount_paid: preview.due })
})

test('the preview of a free project’s first paid plan computes the renewal date by the payment provider’s clock', async () => {
  const { world, owner, subscriptionId, buy, project } = await aBilledProject({ plan: 'free' })
  await world.passAtProvider(100 * day)
  const wish = { subscriptionId, planId: 'pro', address: { country: 'DE' } } as const
  const { preview } = await owner.does('previewPlanChange', wish)
  await buy('pm_card_visa')
  expect(Math.abs((await project()).renews! - preview.next_charge!)).toBeLessThan(60)
})

test('the preview of the free plan costs nothing, and a plan that is not for sale has no preview', async () => {
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

test('the preview of a purchase accepts an incomplete billing address and refuses an unknown country', async () => {
  const { buyer } = await aBuyer()
  const preview = (address: { country: string; state?: string; postal_code?: string }) =>
    buyer.call('previewSubscription', { planId: 'pro', address: address as { country: 'DE' } })
  expect((await preview({ country: 'DE' })).status).toBe(200)
  expect((await preview({ country: 'US', state: 'IL', postal_code: '62701' })).status).toBe(200)
  expect(reasonOf(await preview({ country: 'Atlantis' }))).toBe('invalidInput')
})

test('the preview of a purchase is refused while the payment provider does not answer', async () => {
  const { world, buyer } = await aBuyer()
  await world.control({ api: { fault: 'break' } })
  await buyer.cannot('previewSubscription', { planId: 'pro' }, 'paymentsUnavailable')
  await world.control({ reset: true })
  await buyer.does('previewSubscription', { planId: 'pro' })
})

test('previews of purchases have a rate limit per user', async () => {
  const { world, buyer } = await aBuyer()
  const { tries } = readLimits.providerReadsByAccount
  world.services.readLimits.consume('providerReadsByAccount', buyer.uid, tries)
  await buyer.cannot('previewSubscription', { planId: 'pro' }, 'auth/too-many-requests')
  const other = await world.aPerson('other')
  await other.does('previewSubscription', { planId: 'pro' })
})

test('a tax id that the buyer gives is on the first invoice', async () => {
  const { world, buyer } = await aBuyer()
  const tax_id = { type: 'eu_vat', value: 'DE123456789' } as const
  const { subscriptionId } = await buyer.does('createSubscription', buying(tax_id))
  expect(await buyer.does('getBillingDetails', { subscriptionId })).toMatchObject({ tax_id })
  const [invoice] = await buyer.invoices(subscriptionId)
  const page = await world.request(await world.providerAddress(invoice!.hosted_invoice_url!))
  expect(await page.text()).toContain('DE123456789')
})

test('a purchase with an invalid tax id is refused and charges nothing', async () => {
  const { buyer } = await aBuyer()
  const tax_id = { type: 'eu_vat', value: 'nonsense' } as const
  await buyer.cannot('createSubscription', buying(tax_id), 'taxIdInvalid')
  expect(await buyer.projects()).toEqual([])
})

test('the preview of an overdue payment shows the declined card and the amount that is left after credit, which another card is charged', async () => {
  const { world, buyer } = await aBuyer()
  const { subscriptionId } = await buyer.buys()
  const preview = () => buyer.call('previewPayment', { subscriptionId })
  expect((await preview()).result).toEqual({ owed: null })
  await buyer.changesPlan(subscriptionId, 'enterprise')
  await world.passAtProvider(5 * day)
  await buyer.changesPlan(subscriptionId, 'pro')
  // The next payment that the owner sees is what is left after credit, too.
  const { credit, next } = await buyer.does('getBillingDetails', { subscriptionId })
  expect(next).toEqual({ due: 1000 - credit, credit_used: credit })
  const good = (await buyer.cards(subscriptionId))[0]!.id
  await world.payWith(buyer, subscriptionId, 'pm_card_chargeCustomerFail')
  await world.passAtProvider(3 * day)
  const { due, currency, declined } = (await preview()).result!.owed!
  expect(due).toBeGreaterThan(0)
  expect(due).toBeLessThan(1000)
  expect(currency).toBe('usd')
  const [failing] = await buyer.cards(subscriptionId)
  expect(declined).toEqual({ id: failing!.id, card: failing!.card })
  await buyer.call('payInvoice', { subscriptionId, paymentMethodId: good })
  await world.untilWorkedOff()
  const [invoice] = await buyer.invoices(subscriptionId)
  expect(invoice).toMatchObject({ total: 1000, status: 'paid', amount_paid: due })
})
