// @module-tag slow
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, aSubscription, hour, invoiceOf, week } from './a-sandbox.ts'

type CouponParams = Stripe.CouponCreateParams
type CodeParams = Partial<Stripe.PromotionCodeCreateParams>

/** A sandbox with a paying customer, and helpers that make coupons and codes. */
async function aShop() {
  const sandbox = await aSandbox()
  const { stripe, subscribes } = sandbox
  const { customer, card } = await sandbox.aCustomer('pm_card_visa')
  const aCode = async (coupon: CouponParams, more: CodeParams = {}) => {
    const { id } = await stripe.coupons.create(coupon)
    return stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: id }, ...more })
  }
  return {
    ...sandbox,
    customer,
    aCode,
    buys: (
      discounts: Stripe.SubscriptionCreateParams.Discount[],
      more: Partial<Stripe.SubscriptionCreateParams> = {},
    ) => subscribes(customer.id, card?.id, 'price_pro', { discounts, ...more }),
    invoices: async (subscription: string) =>
      (await stripe.invoices.list({ subscription, limit: 100 })).data,
  }
}

test('a coupon takes a percentage off each invoice and shows where it applied', async () => {
  const { stripe, buys, invoices, advance } = await aShop()
  await stripe.coupons.create({
    id: 'SPRING',
    name: 'Spring',
    percent_off: 12.5,
    duration: 'forever',
  })
  const bought = await buys([{ coupon: 'SPRING' }])
  const first = invoiceOf(bought)
  const discount = bought.discounts[0] as string
  const taken = { amount: 125, discount }
  expect(first).toMatchObject({
    subtotal: 1000,
    total: 875,
    amount_paid: 875,
    total_excluding_tax: 875,
    discounts: [discount],
    total_discount_amounts: [taken],
    total_pretax_credit_amounts: [{ ...taken, type: 'discount' }],
    lines: { data: [{ amount: 1000, discount_amounts: [taken], discounts: [] }] },
  })
  const expanded = await stripe.subscriptions.retrieve(bought.id, {
    expand: ['discounts.source.coupon'],
  })
  expect(expanded.discounts[0]).toMatchObject({
    object: 'discount',
    subscription: bought.id,
    end: null,
    promotion_code: null,
    source: { type: 'coupon', coupon: { id: 'SPRING', times_redeemed: 1, valid: true } },
  })
  await advance(week + hour)
  expect((await invoices(bought.id)).map(({ total }) => total)).toEqual([875, 875])
})

test('a coupon for one invoice leaves the subscription with it', async () => {
  const { buys, aCode, invoices, advance, stripe } = await aShop()
  const code = await aCode({ amount_off: 300, currency: 'usd' })
  const bought = await buys([{ promotion_code: code.id }])
  expect(bought.discounts).toEqual([])
  await advance(week + hour)
  expect((await invoices(bought.id)).map(({ total }) => total)).toEqual([1000, 700])
  const invoice = await stripe.invoices.retrieve(invoiceOf(bought).id, {
    expand: ['discounts.promotion_code', 'total_discount_amounts.discount'],
  })
  expect(invoice).toMatchObject({
    discounts: [{ promotion_code: { code: code.code } }],
    total_discount_amounts: [{ amount: 300, discount: { object: 'discount' } }],
  })
})

test('a repeating coupon ends after its months', async () => {
  const { buys, aCode, invoices, advance, stripe } = await aShop()
  const code = await aCode({ percent_off: 50, duration: 'repeating', duration_in_months: 1 })
  const bought = await buys([{ promotion_code: code.id }])
  const { discounts } = await stripe.subscriptions.retrieve(bought.id, { expand: ['discounts'] })
  const { start, end } = discounts[0] as Stripe.Discount
  expect([28, 29, 30, 31]).toContain((end! - start) / (24 * hour))
  await advance(5 * week + hour)
  const totals = (await invoices(bought.id)).map(({ total }) => total)
  expect(totals).toEqual([1000, 500, 500, 500, 500, 500])
  expect((await stripe.subscriptions.retrieve(bought.id)).discounts).toEqual([])
})

test('an amount off is spread over the lines, and never takes more than there is', async () => {
  const { stripe, buys, aCode } = await aShop()
  const items = [{ price: 'price_pro' }, { price: 'price_enterprise' }]
  const code = await aCode({ amount_off: 1001, currency: 'usd', duration: 'forever' })
  const lines = invoiceOf(await buys([{ promotion_code: code.id }], { items })).lines.data
  expect(lines.map(({ discount_amounts }) => discount_amounts?.[0]?.amount)).toEqual([251, 750])
  const large = await aCode({ amount_off: 5000, currency: 'usd' })
  const preview = await stripe.invoices.createPreview({
    subscription_details: { items: [{ price: 'price_pro' }] },
    discounts: [{ promotion_code: large.id }],
    expand: ['discounts'],
  })
  expect(preview).toMatchObject({ subtotal: 1000, total: 0, discounts: [{ object: 'discount' }] })
})

test('a coupon with amounts in several currencies takes off that of the subscription', async () => {
  const { stripe, buys, aCode } = await aShop()
  const code = await aCode({
    amount_off: 300,
    currency: 'usd',
    currency_options: { eur: { amount_off: 250 } },
  })
  expect(invoiceOf(await buys([{ promotion_code: code.id }], { currency: 'eur' })).total).toBe(650)
  const coupon = code.promotion.coupon as string
  expect(await stripe.coupons.retrieve(coupon)).not.toHaveProperty('currency_options')
  expect(await stripe.coupons.retrieve(coupon, { expand: ['currency_options'] })).toMatchObject({
    currency_options: { eur: { amount_off: 250 } },
  })
})

test('tax is on the amount after the discount', async () => {
  const { stripe, buys, aCode, customer } = await aShop()
  await stripe.customers.update(customer.id, { address: { country: 'DE', postal_code: '10115' } })
  const code = await aCode({ percent_off: 20 })
  const bought = await buys([{ promotion_code: code.id }], { automatic_tax: { enabled: true } })
  expect(invoiceOf(bought)).toMatchObject({
    subtotal: 1000,
    total_excluding_tax: 800,
    total: 952,
    total_taxes: [{ amount: 152, taxable_amount: 800 }],
  })
})

test('prorations contain their discounts: the credit those of then, the charge those of now', async () => {
  const { stripe, buys, aCode, advance } = await aShop()
  const code = await aCode({ percent_off: 10, duration: 'forever' })
  const bought = await buys([{ promotion_code: code.id }])
  await advance(week / 2 - 1)
  const asked = {
    items: [{ id: bought.items.data[0]!.id, price: 'price_enterprise' }],
    proration_behavior: 'always_invoice' as const,
  }
  const kept = await stripe.invoices.createPreview({
    subscription: bought.id,
    subscription_details: asked,
  })
  const discount = bought.discounts[0]
  expect(kept).toMatchObject({ total: 900, total_discount_amounts: [{ amount: 0, discount }] })
  expect(kept.lines.data[0]).toMatchObject({
    amount: -450,
    discountable: false,
    discounts: [discount],
    discount_amounts: [{ amount: 0, discount }],
  })
  expect(kept.lines.data[0]?.description).toMatch(/^Unused time on Pro \(with 10\.0% off\) after /)
  const removed = await stripe.subscriptions.update(bought.id, {
    ...asked,
    discounts: '',
    expand: ['latest_invoice'],
  })
  expect(removed.discounts).toEqual([])
  expect(invoiceOf(removed)).toMatchObject({ total: 1050, discounts: [] })
})

test('a code given to a subscription applies from its next invoice, and one for once only to it', async () => {
  const { stripe, buys, aCode, advance, invoices } = await aShop()
  const bought = await buys([])
  const code = await aCode({ percent_off: 10 })
  const given = await stripe.subscriptions.update(bought.id, {
    discounts: [{ promotion_code: code.id }],
  })
  expect(given.discounts).toHaveLength(1)
  const preview = await stripe.invoices.createPreview({ subscription: bought.id })
  expect(preview).toMatchObject({ total: 900, discounts: given.discounts })
  await advance(2 * week + hour)
  expect((await invoices(bought.id)).map(({ total }) => total)).toEqual([1000, 900, 1000])
  expect((await stripe.subscriptions.retrieve(bought.id)).discounts).toEqual([])
})

test('a discount waits with the change that it was given with', async () => {
  const { stripe, use, subscription, item, card, now } = await aSubscription()
  await stripe.coupons.create({ id: 'HALF', percent_off: 50, duration: 'forever' })
  await use('pm_card_chargeCustomerFail')
  const waiting = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: 'price_enterprise' }],
    discounts: [{ coupon: 'HALF' }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  })
  expect(waiting.discounts).toEqual([])
  expect(waiting.pending_update?.discounts).toHaveLength(1)
  expect(invoiceOf(waiting).total).toBe(500)
  expect(await stripe.coupons.retrieve('HALF')).toMatchObject({ times_redeemed: 0 })
  await stripe.invoices.pay(invoiceOf(waiting).id, { payment_method: card })
  expect((await now()).discounts).toEqual(waiting.pending_update?.discounts)
  expect(await stripe.coupons.retrieve('HALF')).toMatchObject({ times_redeemed: 1 })
})

test('a phase of a schedule brings its discounts with it', async () => {
  const { stripe, subscription, advance, invoices, now } = await aSubscription()
  await stripe.coupons.create({ id: 'HALF', percent_off: 50, duration: 'forever' })
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [present] = schedule.phases
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      { start_date: present!.start_date, items: [{ price: 'price_pro' }] },
      { items: [{ price: 'price_enterprise' }], discounts: [{ coupon: 'HALF' }] },
    ],
  })
  const preview = await stripe.invoices.createPreview({ subscription: subscription.id })
  expect(preview).toMatchObject({ subtotal: 3000, total: 1500 })
  await advance(week + hour)
  expect((await invoices())[0]).toMatchObject({ total: 1500, status: 'paid' })
  expect((await now()).discounts).toHaveLength(1)
  expect(await stripe.coupons.retrieve('HALF')).toMatchObject({ times_redeemed: 1 })
})

test('a code can be found by its letters while it is active', async () => {
  const { stripe, aCode, advance, events, buys } = await aShop()
  const { now } = await advance(1)
  const minted = await aCode({ percent_off: 10 })
  expect(minted.code).toMatch(/^[A-Z0-9]{8}$/)
  const own = await aCode({ percent_off: 10 }, { code: 'Hello', expires_at: now + week })
  const once = await aCode({ percent_off: 10 }, { code: 'ONCE', max_redemptions: 1 })
  const found = async (params: Stripe.PromotionCodeListParams) =>
    (await stripe.promotionCodes.list(params)).data.map(({ id }) => id)
  expect(await found({ code: 'HELLO', active: true })).toEqual([own.id])
  expect(await found({ coupon: minted.promotion.coupon as string })).toEqual([minted.id])
  await buys([{ promotion_code: once.id }])
  expect(await found({ code: 'ONCE', active: true })).toEqual([])
  expect(await stripe.promotionCodes.retrieve(once.id)).toMatchObject({ times_redeemed: 1 })
  const off = await stripe.promotionCodes.update(minted.id, { active: false })
  expect(off.active).toBe(false)
  await advance(week)
  expect(await found({ active: true })).toEqual([])
  expect(await stripe.promotionCodes.retrieve(own.id)).toMatchObject({ active: false })
  const types = events().map(({ type }) => type)
  expect(types).toEqual(
    expect.arrayContaining(['coupon.created', 'promotion_code.created', 'promotion_code.updated']),
  )
})

test('coupons that are used up or expired are refused, as are codes that do not fit', async () => {
  const { stripe, aCode, advance, buys, customer } = await aShop()
  const { now } = await advance(1)
  const old = await stripe.coupons.create({ percent_off: 10, redeem_by: now + 60 })
  const used = await stripe.coupons.create({ percent_off: 10, max_redemptions: 1 })
  const first = { restrictions: { first_time_transaction: true } }
  const newcomer = await aCode({ percent_off: 10 }, { ...first, code: 'FIRST' })
  const other = await stripe.customers.create()
  await buys([{ coupon: used.id }, { promotion_code: newcomer.id }])
  await advance(61)
  const minimum = { minimum_amount: 1001, minimum_amount_currency: 'usd' }
  const inactive = await aCode({ percent_off: 10 }, { active: false })
  const above = await aCode({ percent_off: 10 }, { restrictions: minimum })
  const others = await aCode({ percent_off: 10 }, { customer: other.id })
  const inYen = await aCode({ amount_off: 100, currency: 'jpy' })
  const refused: [Stripe.SubscriptionCreateParams.Discount, object][] = [
    [{ coupon: 'none' }, { code: 'resource_missing', message: "No such coupon: 'none'" }],
    [
      { promotion_code: 'none' },
      { message: "No such promotion code: 'none'", param: 'discounts[0][promotion_code]' },
    ],
    [{ coupon: old.id }, { code: 'coupon_expired', param: 'discounts[0][coupon]' }],
    [{ coupon: used.id }, { message: `Coupon ${used.id} is used up and cannot be applied.` }],
    [
      { promotion_code: newcomer.id },
      {
        code: 'promotion_code_customer_not_first_time',
        message:
          'This promotion code cannot be redeemed because the associated customer has prior transactions.',
      },
    ],
    [
      { promotion_code: above.id },
      {
        message:
          'This promotion code cannot be redeemed because the associated purchase does not meet the minimum amount requirement.',
      },
    ],
    [{ promotion_code: inactive.id }, { message: expect.stringContaining('no longer active') }],
    [{ promotion_code: others.id }, { message: expect.stringContaining('another customer') }],
    [{ promotion_code: inYen.id }, { message: expect.stringContaining('combine currencies') }],
    [{ discount: 'di_none' }, { message: "No such discount: 'di_none'" }],
  ]
  for (const [discount, error] of refused) {
    await expect(buys([discount])).rejects.toMatchObject(error)
    const previewed = stripe.invoices.createPreview({
      customer: customer.id,
      subscription_details: { items: [{ price: 'price_pro' }] },
      discounts: [discount],
    })
    await expect(previewed).rejects.toMatchObject(error)
  }
})

test('a code for one customer is redeemed once, even if two ask at the same time', async () => {
  const { stripe, aCode, aCustomer, subscribes } = await aShop()
  const code = await aCode({ percent_off: 10 }, { max_redemptions: 1 })
  const buyers = await Promise.all([aCustomer('pm_card_visa'), aCustomer('pm_card_visa')])
  const bought = await Promise.allSettled(
    buyers.map(({ customer, card }) =>
      subscribes(customer.id, card?.id, 'price_pro', { discounts: [{ promotion_code: code.id }] }),
    ),
  )
  expect(bought.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await stripe.promotionCodes.retrieve(code.id)).toMatchObject({ times_redeemed: 1 })
})

test('coupons and codes that say too little or too much are refused in Stripe’s words', async () => {
  const { stripe, aCode, advance } = await aShop()
  const { now } = await advance(1)
  await stripe.coupons.create({ id: 'TEN', percent_off: 10 })
  const coupons: [CouponParams, string][] = [
    [{}, 'Must provide percent_off or amount_off.'],
    [{ percent_off: 1, amount_off: 1 }, 'Received both percent_off and amount_off parameters.'],
    [{ amount_off: 1 }, 'You must pass currency when passing amount_off'],
    [{ percent_off: 0 }, "must be greater than or equal to 0.01 (it currently is '0.0')."],
    [{ percent_off: 10, duration: 'repeating' }, 'The duration_in_months param must be set'],
    [{ percent_off: 10, currency_options: { eur: { amount_off: 1 } } }, 'only specify one of'],
    [{ percent_off: 10, redeem_by: now - 1 }, 'The parameter `redeem_by` expects a unix timestamp'],
    [{ id: 'TEN', percent_off: 10 }, 'Coupon already exists.'],
  ]
  for (const [params, message] of coupons)
    await expect(stripe.coupons.create(params)).rejects.toThrow(message)
  await aCode({ percent_off: 10 }, { code: 'SAME' })
  const codes: [CodeParams, string][] = [
    [{ promotion: { type: 'coupon' } }, 'You must pass promotion.coupon when passing promotion'],
    [{ promotion: { type: 'coupon', coupon: 'none' } }, "No such coupon: 'none'"],
    [{ code: 'a b' }, 'does not match for the value a b).'],
    [{ code: 'same' }, 'An active promotion code with `code: same` already exists.'],
    [{ expires_at: now - 1 }, 'The parameter `expires_at` expects a unix timestamp'],
    [{ expires_at: now + 6 * 365 * 24 * hour }, 'no more than five years in the future'],
  ]
  for (const [params, message] of codes)
    await expect(aCode({ percent_off: 10 }, params)).rejects.toThrow(message)
})

test('the page and the PDF of an invoice show its discounts', async () => {
  const { buys, open, stripe } = await aShop()
  await stripe.coupons.create({ id: 'SPRING', name: 'Spring', percent_off: 10, duration: 'once' })
  const link = new URL(invoiceOf(await buys([{ coupon: 'SPRING' }])).hosted_invoice_url!)
  const text = await (await open(link.pathname)).text()
  expect(text).toContain('Spring (10.0% off)')
  expect(text).toContain('-$1.00')
})
