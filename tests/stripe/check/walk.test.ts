import { describe, expect, test } from 'vitest'
import { newId } from '../../../server/platform/ids.ts'
import { aClock, day, hour, week } from './a-clock.ts'
import { cheap, dear, payments } from './account.ts'
import './note-requests.ts'

/** The provider's test clocks make the days and weeks pass. */
describe('over days and weeks', () => {
  test('a purchase is paid, and renews by itself a week later', async () => {
    const { plan, providerSubscriptionId, advanceTo, invoicesOf, found } = await aPlan()
    expect(plan).toMatchObject({
      state: 'active',
      payment: 'ok',
      price: { amount: cheap.amount, frequency: 'week', every: 1 },
      invoice: { status: 'paid', total: cheap.amount },
    })
    await advanceTo(plan.renews + 2 * hour)
    expect(await found()).toMatchObject({
      state: 'active',
      payment: 'ok',
      renews: plan.renews + week,
      invoice: { status: 'paid', total: cheap.amount, reason: 'subscription_cycle' },
    })
    expect(await invoicesOf(providerSubscriptionId)).toHaveLength(2)
  })

  test('a purchase that waits for 3-D Secure ends by itself when nobody answers', async () => {
    const { plan, pass, found } = await aPlan({ card: 'pm_card_authenticationRequired' })
    expect(plan).toMatchObject({
      state: 'unpaid',
      clientSecret: expect.stringContaining('_secret_') as string,
    })
    await pass(day + hour)
    const ended = await found()
    expect(ended).toMatchObject({ state: 'ended' })
    expect(ended!.invoice!.status).toBe('void')
  })

  test('a change to a dearer plan is paid at once, and the new price renews', async () => {
    const { plan, providerSubscriptionId, pass, advanceTo, change, found } = await aPlan()
    await pass(3 * day)
    const preview = await payments.previewChange({ providerSubscriptionId, priceId: dear.priceId })
    expect(preview.total).toBeGreaterThan(0)
    const changed = await change(dear)
    expect(changed).toMatchObject({
      priceId: dear.priceId,
      payment: 'ok',
      isChanging: false,
      invoice: { status: 'paid' },
    })
    // Between the preview and the change the amount may drift by some cents.
    expect(Math.abs(changed.invoice!.total - preview.total)).toBeLessThan(5)
    await advanceTo(plan.renews + 2 * hour)
    expect(await found()).toMatchObject({
      priceId: dear.priceId,
      payment: 'ok',
      invoice: { status: 'paid', total: dear.amount },
    })
  })

  test('a change to a cheaper plan leaves a credit, which pays for the next week', async () => {
    const { plan, customerId, pass, advanceTo, change, found } = await aPlan({ price: dear })
    await pass(3 * day)
    const changed = await change(cheap)
    expect(changed).toMatchObject({ priceId: cheap.priceId, payment: 'ok' })
    const { credit } = (await payments.findBillingDetails(customerId))!
    expect(credit).toBe(-changed.invoice!.total)
    await advanceTo(plan.renews + 2 * hour)
    const renewed = await found()
    expect(renewed).toMatchObject({
      payment: 'ok',
      invoice: { status: 'paid', total: cheap.amount },
    })
    expect(renewed!.invoice!.amount_paid).toBe(Math.max(0, cheap.amount - credit))
  })

  test('a change that waits for 3-D Secure is given up by itself when nobody answers', async () => {
    const { pass, change, payWith, found } = await aPlan()
    await payWith('pm_card_authenticationRequired')
    expect(await change(dear)).toMatchObject({
      priceId: cheap.priceId,
      isChanging: true,
      clientSecret: expect.stringContaining('_secret_') as string,
    })
    await pass(day + hour)
    expect(await found()).toMatchObject({
      priceId: cheap.priceId,
      state: 'active',
      payment: 'ok',
      isChanging: false,
    })
  })

  test('a renewal that is declined is paid with another card', async () => {
    const { plan, providerSubscriptionId, advanceTo, payWith, found } = await aPlan()
    await payWith('pm_card_chargeCustomerFail')
    await advanceTo(plan.renews + 2 * hour)
    expect(await found()).toMatchObject({
      state: 'active',
      payment: 'past_due',
      invoice: { status: 'open' },
    })
    await payWith('pm_card_visa')
    await payments.payInvoice(providerSubscriptionId)
    expect(await found()).toMatchObject({
      state: 'active',
      payment: 'ok',
      invoice: { status: 'paid' },
    })
  })

  test('a plan ends when the provider gives up retrying a declined renewal', async () => {
    const { plan, pass, advanceTo, payWith, found } = await aPlan()
    await payWith('pm_card_chargeCustomerFail')
    await advanceTo(plan.renews + 2 * hour)
    // The longest window that an account can have for its retries is two months.
    for (let weeks = 0; weeks < 10 && (await found())!.state !== 'ended'; weeks++) await pass(week)
    expect(
      await found(),
      'Let retries end in “cancel the subscription”: see docs/operations.md.',
    ).toMatchObject({ state: 'ended', ended: { because: 'unpaid' } })
  })

  test('a plan that is canceled ends at once, and nothing is charged after it', async () => {
    const { plan, providerSubscriptionId, advanceTo, invoicesOf } = await aPlan()
    expect(await payments.endProviderSubscription(providerSubscriptionId)).toMatchObject({
      state: 'ended',
      ended: { because: 'asked' },
    })
    await advanceTo(plan.renews + day)
    expect(
      (await invoicesOf(providerSubscriptionId)).map(({ status, amount_paid }) => [
        status,
        amount_paid,
      ]),
    ).toEqual([['paid', cheap.amount]])
  })

  test('a plan that is canceled in the hour after its renewal is not charged for the new week', async () => {
    const { plan, providerSubscriptionId, pass, advanceTo, invoicesOf } = await aPlan()
    await advanceTo(plan.renews + hour / 6)
    expect((await invoicesOf(providerSubscriptionId))[0]).toMatchObject({ status: 'draft' })
    await payments.endProviderSubscription(providerSubscriptionId)
    await pass(4 * day)
    const paid = (await invoicesOf(providerSubscriptionId)).filter(
      ({ amount_paid }) => amount_paid > 0,
    )
    expect(paid.map(({ billing_reason }) => billing_reason)).toEqual(['subscription_create'])
  })
})

type Wanted = { card?: string; price?: typeof cheap }

async function aPlan({ card = 'pm_card_visa', price = cheap }: Wanted = {}) {
  const clock = await aClock()
  const customer = await clock.aCustomer()
  const { customerId } = customer
  const plan = await payments.startProviderSubscription({
    ...customer,
    priceId: price.priceId,
    currency: price.currency,
    paymentMethodId: card,
    attempt: newId(),
  })
  const { id: providerSubscriptionId } = plan
  return {
    ...clock,
    customerId,
    plan,
    providerSubscriptionId,
    found: () => payments.findProviderSubscription(providerSubscriptionId),
    change: ({ priceId }: typeof cheap) =>
      payments.changeProviderSubscription({ providerSubscriptionId, priceId, attempt: newId() }),
    payWith: async (card: string) => {
      const cardId = await clock.keepCard(customerId, card)
      await payments.setDefaultCard({ customerId, providerSubscriptionId, cardId })
    },
  }
}
