import type Stripe from 'stripe'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newId, type ProviderSubscriptionId } from '../../../server/platform/ids.ts'
import { aClock, day, hour } from './a-clock.ts'
import { paymentsOf, stripe } from './account.ts'
import './note-requests.ts'

/** Months and years in two currencies, with ends and changes that wait, trials and discounts. */
describe('over months and years', () => {
  test('a year in place of a month begins at once and is charged whole, less the unused days', async () => {
    const { start, payments, pass, year } = await aShop()
    const { id: providerSubscriptionId, renews } = await start()
    await pass(10 * day)
    const change = { providerSubscriptionId, priceId: year }
    const preview = await payments.previewChange(change)
    const changed = await payments.changeProviderSubscription({ ...change, attempt: newId() })
    expect(changed).toMatchObject({
      priceId: year,
      price: { amount: 360_00, currency: 'eur', frequency: 'year', every: 1 },
      payment: 'ok',
      invoice: { status: 'paid' },
    })
    expect(changed.renews - renews).toBeGreaterThan(340 * day)
    expect(changed.invoice!.total).toBeLessThan(360_00)
    // Between the preview and the change the amount may drift by some cents.
    expect(Math.abs(changed.invoice!.total - preview.total)).toBeLessThan(5)
  })

  test('a change for the end of the period is found, taken back, and comes when it is due', async () => {
    const { start, payments, advanceTo, found, year } = await aShop()
    const { id, renews } = await start()
    const later = { providerSubscriptionId: id, priceId: year }
    await payments.changeLater(later)
    const price = { amount: 360_00, currency: 'eur', frequency: 'year', every: 1 }
    expect((await found(id)).next).toEqual({ id: year, price, at: renews, isOwn: true })
    await payments.takeBack(id)
    expect((await found(id)).next).toBeUndefined()
    expect((await stripe.subscriptions.retrieve(id)).schedule).toBeNull()
    await payments.changeLater(later)
    await advanceTo(renews + 2 * hour)
    const changed = await found(id)
    expect(changed).toMatchObject({
      priceId: year,
      price,
      next: undefined,
      invoice: { status: 'paid', total: 360_00 },
    })
    expect(changed.renews - renews).toBeGreaterThan(364 * day)
  })

  test('an end for the end of the period is taken back, set again, and comes without a charge', async () => {
    const { start, payments, advanceTo, found, invoicesOf } = await aShop()
    const { id, renews } = await start()
    await payments.endLater(id)
    expect(await found(id)).toMatchObject({ ends: renews, endsBy: 'owner', state: 'active' })
    await payments.takeBack(id)
    expect((await found(id)).ends).toBeUndefined()
    await payments.endLater(id, 'free')
    expect((await found(id)).next).toEqual({ id: 'free', price: null, at: renews, isOwn: true })
    await advanceTo(renews + 2 * hour)
    expect(await found(id)).toMatchObject({
      state: 'ended',
      ended: { because: 'changed', changedTo: 'free' },
    })
    expect(await invoicesOf(id)).toHaveLength(1)
  })

  test('a trial without a card pauses when it ends, and a card resumes it with a new period', async () => {
    const { customer, subscribe, pass, found, keepCard, invoicesOf } = await aShop()
    const { id, trial_end } = await subscribe({
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    })
    expect(await found(id)).toMatchObject({
      state: 'active',
      trialEnds: trial_end,
      isTrialOver: false,
      hasCard: false,
    })
    await pass(7 * day + 2 * hour)
    expect(await found(id)).toMatchObject({ state: 'active', isTrialOver: true })
    const card = await keepCard(customer.customerId, 'pm_card_visa')
    await stripe.subscriptions.update(id, { default_payment_method: card })
    await stripe.subscriptions.resume(id, { billing_cycle_anchor: { type: 'now' } })
    expect(await found(id)).toMatchObject({
      payment: 'ok',
      isTrialOver: false,
      invoice: { status: 'paid', total: 36_00 },
    })
    expect((await invoicesOf(id)).map(({ total }) => total)).toEqual([36_00, 0])
  })

  test('a promotion code takes its part off for its months alone', async () => {
    const { customer, subscribe, keepCard, found, advanceTo, invoicesOf } = await aShop()
    const { id: coupon } = await stripe.coupons.create({
      percent_off: 25,
      duration: 'repeating',
      duration_in_months: 1,
      max_redemptions: 1,
    })
    const code = `CHECK${newId().toUpperCase()}`
    await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code })
    const { data } = await stripe.promotionCodes.list({ code, active: true })
    const default_payment_method = await keepCard(customer.customerId, 'pm_card_visa')
    const { id } = await subscribe({
      default_payment_method,
      discounts: [{ promotion_code: data[0]!.id }],
    })
    for (let month = 1; month <= 2; month++) await advanceTo((await found(id)).renews + 2 * hour)
    const totals = (await invoicesOf(id)).map(({ total }) => total)
    expect([totals.at(-1), totals[0]]).toEqual([27_00, 36_00])
  })
})

/** A product with prices of its own, so that it does not matter what the plans are. */
async function aShop() {
  const clock = await aClock()
  const customer = await clock.aCustomer()
  const product = await stripe.products.create({ name: 'stripe:check' })
  const aPrice = async (interval: 'month' | 'year', usd: number, eur: number) =>
    stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: usd,
      currency_options: { eur: { unit_amount: eur } },
      recurring: { interval },
    })
  const [month, year] = [await aPrice('month', 40_00, 36_00), await aPrice('year', 400_00, 360_00)]
  onTestFinished(async () => void (await stripe.products.update(product.id, { active: false })))
  const payments = paymentsOf([month.id, year.id])
  return {
    ...clock,
    customer,
    payments,
    year: year.id,
    found: async (id: string) =>
      (await payments.findProviderSubscription(id as ProviderSubscriptionId))!,
    start: () =>
      payments.startProviderSubscription({
        ...customer,
        priceId: month.id,
        currency: 'eur',
        paymentMethodId: 'pm_card_visa',
        attempt: newId(),
      }),
    subscribe: (more: Partial<Stripe.SubscriptionCreateParams>) =>
      stripe.subscriptions.create({
        customer: customer.customerId,
        currency: 'eur',
        items: [{ price: month.id }],
        metadata: { subscriptionId: customer.subscriptionId },
        ...more,
      }),
  }
}
