// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aDashboard, customersAt } from '../a-billed-project.ts'
import { adminOf } from '../an-operator.ts'
import { aWorld, billingInfo, reasonOf } from '../world.ts'
import { aSoldProject } from './a-sold-project.ts'

const day = 24 * 3600

type Code = Partial<Stripe.PromotionCodeCreateParams>

/** A world in which the code `WELCOME` can be entered. */
async function aShop(coupon: Stripe.CouponCreateParams, more: Code = {}, environment = {}) {
  const world = await aWorld(environment)
  const { stripe } = await aDashboard(world)
  const { id } = await stripe.coupons.create(coupon)
  const code = await stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: id },
    code: 'WELCOME',
    ...more,
  })
  return { world, stripe, code }
}

test('a code for one payment takes a part off it, in any case of its letters', async () => {
  const { world } = await aShop({ percent_off: 25 })
  const { preview, project, invoices } = await aSoldProject({ world, promotionCode: ' welcome ' })
  expect(preview).toMatchObject({
    lines: [
      { kind: 'period', amount: 40_00 },
      { kind: 'discount', plan_id: null, amount: -10_00 },
    ],
    due: 30_00,
    recurring: { amount: 40_00 },
    discount: null,
  })
  expect((await project()).discount).toBeNull()
  await world.passAtProvider(32 * day)
  expect((await invoices()).map(({ total }) => total)).toEqual([40_00, 30_00])
})

test('a code whose months are over when a trial ends is not for it', async () => {
  const months = { duration: 'repeating', duration_in_months: 1 } as const
  const { world } = await aShop({ percent_off: 25, ...months })
  // In February, a month is over before the thirty days of the trial.
  const february = Date.UTC(new Date().getUTCFullYear() + 1, 1, 2) - Date.now()
  await world.passAtProvider(Math.ceil(february / 1000))
  const ann = await world.aPerson('ann')
  const wish = { planId: 'enterprise', promotionCode: 'WELCOME' }
  await ann.cannot('previewSubscription', wish, 'promotionNotForThis')
  const { preview } = await ann.does('previewSubscription', { ...wish, trial: false })
  expect(preview.due).toBe(90_00)
})

test('a code for months takes an amount off until it ends, as was shown', async () => {
  const { world } = await aShop({
    amount_off: 8_00,
    currency: 'usd',
    duration: 'repeating',
    duration_in_months: 2,
  })
  const { owner, subscriptionId, preview, project, invoices } = await aSoldProject({
    world,
    promotionCode: 'WELCOME',
  })
  const discount = { amount: 8_00, until: expect.closeTo(preview.discount!.until!, -1) }
  expect(preview).toMatchObject({ due: 32_00, discount })
  expect((await project()).discount).toEqual(discount)
  expect((preview.discount!.until! - preview.next_charge!) / day).toBeCloseTo(30, -1)
  const next = async () => (await owner.does('getBillingDetails', { subscriptionId })).next!.due
  expect(await next()).toBe(32_00)
  await world.passAtProvider(32 * day)
  expect(await next()).toBe(40_00)
  await world.passAtProvider(31 * day)
  expect((await project()).discount).toBeNull()
  expect((await invoices()).map(({ total }) => total)).toEqual([40_00, 32_00, 32_00])
})

test('a code that takes off all charges nothing at first', async () => {
  const { world } = await aShop({ percent_off: 100 })
  const { preview, project, invoices } = await aSoldProject({ world, promotionCode: 'WELCOME' })
  expect(preview).toMatchObject({ due: 0, recurring: { amount: 40_00 } })
  expect(await project()).toMatchObject({ status: 'active', payment: 'ok', needs_card: false })
  await world.passAtProvider(32 * day)
  expect((await invoices()).map(({ amount_paid }) => amount_paid)).toEqual([40_00, 0])
})

test('after a trial, a code for one payment takes its part off the first one', async () => {
  const { world } = await aShop({ percent_off: 25 })
  const { preview, project, invoices } = await aSoldProject({
    world,
    trial: true,
    promotionCode: 'WELCOME',
  })
  expect(preview).toMatchObject({
    due: 0,
    lines: [{ amount: 40_00 }, { kind: 'discount', amount: -10_00 }],
  })
  await world.passAtProvider(15 * day)
  expect((await invoices())[0]!.amount_paid).toBe(30_00)
  await world.passAtProvider(31 * day)
  expect((await invoices())[0]!.amount_paid).toBe(40_00)
  expect((await project()).payment).toBe('ok')
})

test('a code without an end stays over changes of plan and interval, now and later', async () => {
  const { world } = await aShop({ percent_off: 50, duration: 'forever' })
  const { change, previewed, project, invoices, until, owner, subscriptionId } = await aSoldProject(
    { world, plan: 'enterprise', promotionCode: 'WELCOME' },
  )
  const discount = { percent: 50, until: null }
  const year = { price: { frequency: 'year' } } as const
  const said = await previewed('enterprise', { ...year, at: 'now' })
  expect(said).toMatchObject({ due: 600_00 - 60_00, discount })
  expect(said.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(said.due)
  expect((await change('enterprise', { ...year, at: 'now' })).result).toEqual({})
  expect(await project()).toMatchObject({ price: { amount: 1200_00 }, discount })
  const later = await previewed('pro', { ...year, at: 'periodEnd' })
  expect(later).toMatchObject({
    lines: [
      { kind: 'period', plan_id: 'pro', amount: 400_00 },
      { kind: 'discount', amount: -200_00 },
    ],
    discount,
  })
  expect((await change('pro', { ...year, at: 'periodEnd' })).result).toEqual({})
  const { next } = await owner.does('getBillingDetails', { subscriptionId })
  expect(next!.due).toBe(200_00)
  await until((await project()).renews! + day)
  expect(await project()).toMatchObject({ plan_id: 'pro', discount })
  expect((await invoices()).map(({ amount_paid }) => amount_paid)).toEqual([200_00, 540_00, 60_00])
})

test('a scheduled change costs what was shown, also if a discount ends before it', async () => {
  const { world } = await aShop({ percent_off: 50, duration: 'repeating', duration_in_months: 3 })
  const { change, previewed, project, invoices, until } = await aSoldProject({
    world,
    plan: 'enterprise',
    price: { frequency: 'year' },
    promotionCode: 'WELCOME',
  })
  const year = { price: { frequency: 'year' } } as const
  const later = await previewed('pro', year)
  expect(later).toMatchObject({ lines: [{ amount: 400_00 }], discount: null })
  await change('pro', year)
  await until((await project()).renews! + day)
  expect((await invoices()).map(({ total }) => total)).toEqual([400_00, 600_00])
})

test('codes take off yen and dinars without a rounding that was not shown', async () => {
  for (const [currency, due] of [
    ['jpy', 4_000],
    // Dinars are charged in steps of ten; the rest stays for the next invoice.
    ['kwd', 8_330],
  ] as const) {
    const { world } = await aShop({ percent_off: 33.33 })
    const { preview, invoices } = await aSoldProject({
      world,
      price: { frequency: 'month', currency },
      promotionCode: 'WELCOME',
    })
    const [invoice] = await invoices()
    expect([preview.due, invoice!.amount_paid]).toEqual([due, due])
    expect(preview.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(invoice!.total)
  }
})

test('an amount off has its own sum in each currency, and none in others', async () => {
  const { world } = await aShop({
    amount_off: 10_00,
    currency: 'usd',
    currency_options: { eur: { amount_off: 9_00 } },
    duration: 'forever',
  })
  const price = { frequency: 'month', currency: 'eur' } as const
  const { preview, project, owner } = await aSoldProject({ world, price, promotionCode: 'WELCOME' })
  expect(preview).toMatchObject({ due: 27_00, discount: { amount: 9_00, until: null } })
  expect((await project()).discount).toEqual({ amount: 9_00, until: null })
  const inPounds = { frequency: 'month', currency: 'gbp' } as const
  const wish = { planId: 'pro', trial: false, price: inPounds, promotionCode: 'WELCOME' }
  expect((await owner.call('previewSubscription', wish)).error!.details).toEqual({
    reason: 'promotionOtherCurrency',
    currency: 'gbp',
  })
})

test('tax is on what is left after the discount', async () => {
  const { world } = await aShop({ percent_off: 25 }, {}, { STRIPE_TAX: '1' })
  const owner = await world.aPerson('owner')
  const wish = { planId: 'pro', trial: false, promotionCode: 'WELCOME' }
  const address = { country: 'DE', postal_code: '10115' } as const
  const { preview } = await owner.does('previewSubscription', { ...wish, address })
  expect(preview.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['period', 40_00],
    ['discount', -10_00],
    ['tax', 5_70],
  ])
  const info = billingInfo('pm_card_visa')
  const place = { ...info.billingDetails.address, ...address }
  const { subscriptionId } = await owner.does('createSubscription', {
    ...wish,
    billingInfo: { ...info, billingDetails: { ...info.billingDetails, address: place } },
  })
  expect(preview.due).toBe(35_70)
  expect((await owner.invoices(subscriptionId))[0]!.amount_paid).toBe(35_70)
})

test('a change from a free plan takes a code, and no other change and no free plan does', async () => {
  const { world } = await aShop({ percent_off: 25 })
  const { owner, subscriptionId, previewed, change, invoices } = await aSoldProject({
    world,
    plan: 'free',
  })
  const promotionCode = 'WELCOME'
  const bought = { promotionCode, trial: false, billingInfo: billingInfo('pm_card_visa') }
  const { due } = await previewed('pro', { promotionCode, trial: false })
  expect((await change('pro', bought)).result).toEqual({})
  expect([due, (await invoices())[0]!.amount_paid]).toEqual([30_00, 30_00])
  for (const planId of ['enterprise', 'free']) {
    const wish = { subscriptionId, planId, promotionCode }
    expect(reasonOf(await owner.call('previewPlanChange', wish))).toBe('promotionNotForChange')
    expect(reasonOf(await owner.call('changeSubscriptionPlan', wish))).toBe('promotionNotForChange')
  }
  const free = { planId: 'free', promotionCode }
  expect(reasonOf(await owner.call('previewSubscription', free))).toBe('promotionNotForChange')
  expect(reasonOf(await owner.call('createSubscription', free))).toBe('promotionNotForChange')
  expect(await owner.projects()).toHaveLength(1)
})

test('codes that are wrong, over or for others are refused in words, and make nothing', async () => {
  const { world, stripe, code } = await aShop({ percent_off: 25 })
  const owner = await world.aPerson('owner')
  const { coupon } = code.promotion as { coupon: string }
  const make = (name: string, more: Code, of = coupon) =>
    stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: of }, code: name, ...more })
  const stranger = await stripe.customers.create()
  const usedUp = await stripe.coupons.create({ percent_off: 5, max_redemptions: 1 })
  await make('LAST', {}, usedUp.id)
  await aSoldProject({ world, name: 'another', promotionCode: 'LAST' })
  await make('OFF', { active: false })
  await make('THEIRS', { customer: stranger.id })
  const minimum = { minimum_amount: 50_00, minimum_amount_currency: 'usd' }
  await make('LARGE', { restrictions: minimum })
  const before = (await customersAt(world)).length
  for (const [promotionCode, reason] of [
    ['WELCOM', 'promotionUnknown'],
    ['WEL COME', 'promotionUnknown'],
    ['OFF', 'promotionEnded'],
    ['LAST', 'promotionEnded'],
    ['THEIRS', 'promotionNotForThis'],
    ['LARGE', 'promotionNotForThis'],
  ] as const) {
    const wish = { planId: 'pro', trial: false, promotionCode }
    expect(reasonOf(await owner.call('previewSubscription', wish)), promotionCode).toBe(reason)
    // Each person is allowed ten wrong codes.
    if (promotionCode === 'WEL COME') continue
    const bought = { ...wish, billingInfo: billingInfo('pm_card_visa') }
    expect(reasonOf(await owner.call('createSubscription', bought)), promotionCode).toBe(reason)
  }
  expect(await owner.projects()).toHaveLength(0)
  expect(await customersAt(world)).toHaveLength(before)
})

test('a code that ends between preview and purchase charges nothing and makes nothing', async () => {
  const { world, stripe, code } = await aShop({ percent_off: 25 })
  const owner = await world.aPerson('owner')
  const wish = { planId: 'pro', trial: false, promotionCode: 'WELCOME' }
  await owner.does('previewSubscription', wish)
  await stripe.promotionCodes.update(code.id, { active: false })
  const bought = { ...wish, billingInfo: billingInfo('pm_card_visa') }
  expect(reasonOf(await owner.call('createSubscription', bought))).toBe('promotionEnded')
  expect(await owner.projects()).toHaveLength(0)
  expect(await customersAt(world)).toHaveLength(0)
  // What was given back can be used once there is such a code again.
  await stripe.promotionCodes.update(code.id, { active: true })
  await owner.does('createSubscription', bought)
})

test('a person uses a code once, also in two tabs at once and after a new account', async () => {
  const { world } = await aShop({ percent_off: 25, duration: 'forever' })
  const owner = await world.aPerson('owner')
  const wish = { planId: 'pro', trial: false, promotionCode: 'WELCOME' }
  const buy = () =>
    owner.call('createSubscription', { ...wish, billingInfo: billingInfo('pm_card_visa') })
  const tabs = await Promise.all([buy(), buy()])
  const refused = tabs.map(reasonOf).filter((reason) => reason !== undefined)
  expect(refused).toEqual(['promotionUsed'])
  expect(reasonOf(await owner.call('previewSubscription', wish))).toBe('promotionUsed')
  const [project] = await owner.projects()
  const subscriptionId = project!.id
  await owner.does('cancelSubscription', {
    subscriptionId,
    confirmationId: subscriptionId,
    at: 'now',
  })
  await owner.does('deleteAccount', { confirmationId: owner.uid })
  const again = await world.aPerson('owner')
  expect(again.uid).not.toBe(owner.uid)
  expect(reasonOf(await again.call('previewSubscription', wish))).toBe('promotionUsed')
})

test('a declined card gives the code back, and a payment to be confirmed keeps it', async () => {
  const { world } = await aShop({ percent_off: 25 })
  const owner = await world.aPerson('owner')
  const wish = { planId: 'pro', trial: false, promotionCode: 'WELCOME' }
  const buy = (card: string) =>
    owner.call('createSubscription', { ...wish, billingInfo: billingInfo(card) })
  expect(reasonOf(await buy('pm_card_chargeDeclined'))).toBe('cardDeclined')
  const { clientSecret, subscriptionId } = (await buy('pm_card_threeDSecure2Required')).result!
  expect((await owner.call('previewSubscription', wish)).status).toBe(200)
  expect(reasonOf(await buy('pm_card_visa'))).toBe('promotionUsed')
  await world.answerChallenge(clientSecret!, 'succeed')
  await owner.does('completePayment', { subscriptionId })
  expect((await owner.invoices(subscriptionId))[0]!.amount_paid).toBe(30_00)
  expect(reasonOf(await buy('pm_card_visa'))).toBe('promotionUsed')
})

test('after ten wrong codes within an hour, none is looked for', async () => {
  const { world } = await aShop({ percent_off: 25 })
  const owner = await world.aPerson('owner')
  const preview = (promotionCode?: string) =>
    owner.call('previewSubscription', { planId: 'pro', trial: false, promotionCode })
  for (let tried = 0; tried < 10; tried++) {
    expect(reasonOf(await preview(`GUESS${tried}`))).toBe('promotionUnknown')
    if (tried < 9) expect((await preview('WELCOME')).status).toBe(200)
  }
  expect(reasonOf(await preview('WELCOME'))).toBe('auth/too-many-requests')
  expect((await preview()).status).toBe(200)
  const other = await world.aPerson('other')
  const wish = { planId: 'pro', trial: false, promotionCode: 'WELCOME' }
  expect(reasonOf(await other.call('previewSubscription', wish))).toBe('auth/too-many-requests')
})

test('an operator’s discount leaves a scheduled change as it is, also after a lost answer', async () => {
  const world = await aWorld()
  const { subscriptionId, change, project, until, invoices } = await aSoldProject({
    world,
    plan: 'enterprise',
  })
  const { run } = adminOf(world)
  await change('pro')
  const { next_plan: planned } = await project()
  const give = () => run('discount', subscriptionId, '10%', '3')
  for (let skip = 0; skip < 8; skip++) {
    // The SDK repeats a request once.
    await world.control({ api: { fault: 500, skip, times: 2, at: 'after' } })
    await give().catch((error: Error) => expect(error.message).toMatch(/did not answer|reached/))
    await world.control({ reset: true })
    await world.untilWorkedOff()
    expect((await project()).next_plan).toEqual(planned)
  }
  expect(await give()).toContain('is $36.00, at')
  expect(await project()).toMatchObject({ next_plan: planned, discount: { percent: 10 } })
  await until(planned!.at + day)
  expect(await project()).toMatchObject({ plan_id: 'pro', discount: { percent: 10 } })
  expect((await invoices())[0]!.total).toBe(36_00)
})

test('after a lost answer at any step, the purchase is made once, and the code is used once', async () => {
  const { world, stripe, code } = await aShop({ percent_off: 25 })
  const buys: ((
    name: string,
  ) => Promise<() => Promise<Parameters<typeof reasonOf>[0] & { result?: unknown }>>)[] = [
    async (name) => {
      const owner = await world.aPerson(name)
      const key = { 'idempotency-key': name }
      return () => owner.call('createSubscription', bought, key)
    },
    async (name) => {
      const { change } = await aSoldProject({ world, name, plan: 'free' })
      return () => change('pro', { ...paid })
    },
  ]
  const paid = { trial: false, promotionCode: 'WELCOME', billingInfo: billingInfo('pm_card_visa') }
  const bought = { ...paid, planId: 'pro' }
  const outcomes = new Set<string | undefined>()
  let sold = 0
  for (const [way, begin] of buys.entries())
    for (let skip = 0; skip < 9; skip++) {
      const name = `owner${way}${skip}`
      const buy = await begin(name)
      // The SDK repeats a request once.
      await world.control({ api: { fault: 500, skip, times: 2, at: 'after' } })
      outcomes.add(reasonOf(await buy()))
      await world.control({ reset: true })
      for (let tries = 0; tries < 3; tries++) {
        const { result, error } = await buy()
        if (result) break
        const reason = error?.details?.reason
        if (reason === 'samePlan') break
        expect(reason, name).toBe('billingBusy')
      }
      sold++
      const redeemed = await stripe.promotionCodes.retrieve(code.id)
      expect(redeemed.times_redeemed, name).toBe(sold)
    }
  expect(outcomes).toEqual(new Set([undefined, 'paymentsUnavailable']))
  const invoices = (await customersAt(world)).flatMap((customer) => customer.invoices)
  expect(invoices.map(({ amount_paid }) => amount_paid)).toEqual(Array(sold).fill(30_00))
})
