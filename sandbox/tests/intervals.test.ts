// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, day, hour, invoiceOf } from './a-sandbox.ts'
import { readPdf } from './read-pdf.ts'

const year = 366 * day

/** A sandbox with a customer, and functions that make prices and subscriptions. */
async function aShop() {
  const sandbox = await aSandbox()
  const { stripe } = sandbox
  const { customer, card } = await sandbox.aCustomer('pm_card_visa')
  return {
    ...sandbox,
    customer,
    aPrice: (
      recurring: Stripe.PriceCreateParams.Recurring,
      more: Partial<Stripe.PriceCreateParams> = {},
    ) =>
      stripe.prices.create({
        product: 'prod_pro',
        currency: 'usd',
        unit_amount: 1000,
        recurring,
        ...more,
      }),
    buys: (price: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
      sandbox.subscribes(customer.id, card?.id, price, more),
    invoices: async () =>
      (await stripe.invoices.list({ customer: customer.id, limit: 100 })).data.toReversed(),
    /** Moves the clock to the next time that has this month, day and hour. */
    until: async (month: number, date: number) => {
      const now = (await sandbox.advance(1)).now * 1000
      const years = [0, 1].map((more) => new Date(now).getUTCFullYear() + more)
      const at = years.map((each) => Date.UTC(each, month - 1, date, 12, 30)).find((t) => t > now)
      await sandbox.advance((at! - now) / 1000)
    },
  }
}

function days(invoices: Stripe.Invoice[]) {
  return invoices.map(({ created }) => new Date(created * 1000).toISOString().slice(5, 16))
}

test('a monthly subscription of the 31st renews on the last day of shorter months, always at its time of day', async () => {
  const { until, aPrice, buys, advance, invoices } = await aShop()
  await until(7, 31)
  const price = await aPrice({ interval: 'month' })
  const { billing_cycle_anchor, items } = await buys(price.id)
  expect(items.data[0]).toMatchObject({
    current_period_start: billing_cycle_anchor,
    current_period_end: billing_cycle_anchor + 31 * day,
    price: { recurring: { interval: 'month', interval_count: 1 } },
    plan: { interval: 'month' },
  })
  await advance(125 * day)
  expect(days(await invoices()).map((each) => each.slice(0, 5))).toEqual([
    '07-31',
    '08-31',
    '09-30',
    '10-31',
    '11-30',
  ])
  expect(new Set(days(await invoices()).map((each) => each.slice(6))).size).toBe(1)
  expect((await invoices()).at(-1)).toMatchObject({ status: 'paid', total: 1000 })
})

test.each([
  ['day', 1, '$10.00 / day', 'Pro, daily', 5 * day, 6],
  ['week', 2, '$10.00 every 2 weeks', 'Pro, every 2 weeks', 28 * day, 3],
  ['month', 1, '$10.00 / month', 'Pro, monthly', 62 * day, 3],
  ['year', 1, '$10.00 / year', 'Pro, yearly', year, 2],
] as const)(
  'a price for each %s × %s is billed at that interval and says so on the invoice',
  async (interval, interval_count, description, shown, after, bills) => {
    const { aPrice, buys, advance, invoices, open } = await aShop()
    const price = await aPrice({ interval, interval_count })
    const { lines, hosted_invoice_url, invoice_pdf } = invoiceOf(await buys(price.id))
    expect(lines.data[0]?.description).toBe(`1 × Pro (at ${description})`)
    expect(await (await open(hosted_invoice_url ?? '')).text()).toContain(shown)
    expect(await readPdf(await open(invoice_pdf ?? ''))).toContain(shown)
    await advance(after + 2 * hour)
    expect(await invoices()).toHaveLength(bills)
  },
)

test('the preview of the next invoice bills the next month', async () => {
  const { stripe, until, aPrice, buys } = await aShop()
  await until(8, 31)
  const price = await aPrice({ interval: 'month' })
  const { id, items } = await buys(price.id)
  const { current_period_end: end } = items.data[0]!
  const next = await stripe.invoices.createPreview({ subscription: id })
  expect(next.lines.data[0]?.period).toEqual({ start: end, end: end + 31 * day })
})

test('items with different intervals in one subscription are refused', async () => {
  const { stripe, customer, aPrice } = await aShop()
  const price = await aPrice({ interval: 'month' })
  const items = [{ price: price.id }, { price: 'price_enterprise' }]
  await expect(stripe.subscriptions.create({ customer: customer.id, items })).rejects.toMatchObject(
    { statusCode: 400, param: 'items' },
  )
})

test('the clock passes two years over a few subscriptions in less than a minute', async () => {
  const { aPrice, buys, advance, invoices } = await aShop()
  await buys('price_pro')
  await buys((await aPrice({ interval: 'month' })).id)
  await buys((await aPrice({ interval: 'year' })).id)
  const began = performance.now()
  await advance(366 * day)
  await advance(366 * day)
  expect(performance.now() - began).toBeLessThan(60_000)
  expect((await invoices()).length).toBe(100)
})
