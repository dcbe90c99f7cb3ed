// @module-tag slow
import { expect, test } from 'vitest'
import { aSandbox, aSubscription, hour, invoiceOf, week } from './a-sandbox.ts'
import { readPdf } from './read-pdf.ts'

const perWeek = { product: 'prod_pro', recurring: { interval: 'week' } } as const

test('a price shows its other currencies only where they are expanded', async () => {
  const { stripe } = await aSandbox()
  const made = await stripe.prices.create({
    ...perWeek,
    currency: 'USD',
    unit_amount: 1000,
    tax_behavior: 'exclusive',
    currency_options: {
      eur: { unit_amount: 900, tax_behavior: 'inclusive' },
      jpy: { unit_amount: 1500 },
    },
    expand: ['currency_options'],
  })
  const option = (unit_amount: number, tax_behavior: string) =>
    expect.objectContaining({ unit_amount, tax_behavior, custom_unit_amount: null })
  const options = {
    usd: option(1000, 'exclusive'),
    eur: option(900, 'inclusive'),
    jpy: option(1500, 'unspecified'),
  }
  expect(made).toMatchObject({ currency: 'usd', unit_amount: 1000 })
  expect(made.currency_options).toEqual(options)
  const found = await stripe.prices.retrieve(made.id)
  expect(found).not.toHaveProperty('currency_options')
  const expanded = await stripe.prices.list({ expand: ['data.currency_options'] })
  expect(expanded.data.find(({ id }) => id === made.id)?.currency_options).toEqual(options)
  expect((await stripe.prices.list()).data[0]).not.toHaveProperty('currency_options')
})

test('a sandbox adds new currencies to its prices at the next start', async () => {
  const { pool } = await aSandbox()
  const given = { id: 'price_pro', product: { id: 'prod_pro', name: 'Pro' } }
  const weekly = { interval: 'week', intervalCount: 1 } as const
  const amounts = { usd: 1, eur: 2, gbp: 800 }
  const { stripe } = await aSandbox({ pool, prices: [{ ...given, ...weekly, amounts }] })
  const { currency_options } = await stripe.prices.retrieve('price_pro', {
    expand: ['currency_options'],
  })
  expect(currency_options).toMatchObject({
    usd: { unit_amount: 1000 },
    eur: { unit_amount: 900 },
    gbp: { unit_amount: 800 },
  })
})

test('a subscription in another currency of its price is billed in it, as its preview showed, and the customer stays with it', async () => {
  const { stripe, aCustomer, subscribes, advance, open } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const preview = await stripe.invoices.createPreview({
    customer: customer.id,
    currency: 'eur',
    subscription_details: { items: [{ price: 'price_pro' }] },
  })
  expect(preview).toMatchObject({ currency: 'eur', total: 900 })
  const first = await subscribes(customer.id, card?.id, 'price_pro', { currency: 'eur' })
  expect(first).toMatchObject({
    currency: 'eur',
    items: { data: [{ price: { currency: 'usd', unit_amount: 1000 }, plan: { amount: 1000 } }] },
  })
  const invoice = invoiceOf(first)
  expect(invoice).toMatchObject({ currency: 'eur', total: 900, status: 'paid' })
  expect(invoice.lines.data[0]).toMatchObject({
    currency: 'eur',
    amount: 900,
    description: '1 × Pro (at €9.00 / week)',
  })
  expect(String(invoice.lines.data[0]?.pricing?.unit_amount_decimal)).toBe('900')
  expect(await (await open(invoice.hosted_invoice_url ?? '')).text()).toContain('€9.00')
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ currency: 'eur' })
  await advance(week + 2 * hour)
  const [renewal] = (await stripe.invoices.list({ customer: customer.id })).data
  expect(renewal).toMatchObject({ currency: 'eur', amount_paid: 900 })
  expect(await subscribes(customer.id, card?.id, 'price_pro')).toMatchObject({ currency: 'eur' })
})

test('a currency that the price or the customer does not have is refused', async () => {
  const { stripe, aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const other = subscribes(customer.id, card?.id, 'price_pro', { currency: 'gbp' })
  await expect(other).rejects.toMatchObject({
    param: 'items[0][price]',
    message:
      "The price specified supports currencies of `usd` and `eur`. This doesn't match the expected currency: `gbp`.",
  })
  const { id, items } = await subscribes(customer.id, card?.id, 'price_pro', { currency: 'eur' })
  const changed = [{ id: items.data[0]!.id, price: 'price_enterprise' }]
  for (const ask of [
    () => subscribes(customer.id, card?.id, 'price_enterprise'),
    () => stripe.subscriptions.update(id, { items: changed, proration_behavior: 'none' }),
    () =>
      stripe.invoices.createPreview({
        subscription: id,
        subscription_details: { items: changed },
      }),
  ])
    await expect(ask()).rejects.toThrow(
      "The price specified only supports `usd`. This doesn't match the expected currency: `eur`.",
    )
  await expect(subscribes(customer.id, card?.id, 'price_pro', { currency: 'usd' })).rejects.toThrow(
    /^You cannot combine currencies on a single customer\./,
  )
})

test.each([
  ['jpy', 1500, '¥1,500'],
  ['kwd', 1500, 'KWD 1.500'],
  ['isk', 150_000, 'ISK 1,500'],
  ['huf', 150_000, 'HUF 1,500.00'],
])('invoices show %s with its digits', async (currency, unit_amount, words) => {
  const { stripe, aCustomer, subscribes, open } = await aSandbox()
  const price = await stripe.prices.create({ ...perWeek, currency, unit_amount })
  const { customer, card } = await aCustomer('pm_card_visa')
  const invoice = invoiceOf(await subscribes(customer.id, card?.id, price.id))
  expect(invoice).toMatchObject({ currency, amount_paid: unit_amount })
  const spaced = (text: string) => text.replaceAll('\u00A0', ' ')
  expect(spaced(await (await open(invoice.hosted_invoice_url ?? '')).text())).toContain(words)
  const pdf = await readPdf(await open(invoice.invoice_pdf ?? ''))
  expect(pdf.map(spaced)).toContain(words)
})

test.each([
  ['gbp', 30, 29],
  ['jpy', 50, 49],
  ['mxn', 1000, 999],
  ['kwd', 10, 0],
])('in %s the least charge is %s, and less goes to the balance', async (currency, least, less) => {
  const { stripe, aCustomer, subscribes, balanceOf } = await aSandbox()
  for (const unit_amount of [least, less]) {
    const price = await stripe.prices.create({ ...perWeek, currency, unit_amount })
    const { customer, card } = await aCustomer('pm_card_visa')
    const invoice = invoiceOf(await subscribes(customer.id, card?.id, price.id))
    const isCharged = unit_amount === least
    expect(invoice).toMatchObject({ status: 'paid', amount_due: isCharged ? least : 0 })
    expect(await balanceOf(customer.id)).toBe(isCharged ? 0 : less)
  }
})

test('what a currency cannot charge of a proration goes to the balance', async () => {
  const { stripe, aCustomer, subscribes, advance, balanceOf } = await aSandbox()
  const [small, large] = await Promise.all(
    [1000, 3010].map((unit_amount) =>
      stripe.prices.create({ ...perWeek, currency: 'kwd', unit_amount }),
    ),
  )
  const { customer, card } = await aCustomer('pm_card_visa')
  const { id, items } = await subscribes(customer.id, card?.id, small!.id)
  await advance(week / 2)
  const changed = await stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]!.id, price: large!.id }],
    proration_behavior: 'always_invoice',
    expand: ['latest_invoice'],
  })
  const { total, amount_paid } = invoiceOf(changed)
  expect([amount_paid % 10, Math.abs(total - amount_paid) < 10]).toEqual([0, true])
  expect(await balanceOf(customer.id)).toBe(total - amount_paid)
})

test('a quantity multiplies the amount of the subscription’s currency', async () => {
  const { subscription } = await aSubscription()
  expect(subscription.currency).toBe('usd')
  const { aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const items = [{ price: 'price_pro', quantity: 3 }]
  const bought = await subscribes(customer.id, card?.id, 'price_pro', { currency: 'eur', items })
  expect(invoiceOf(bought).total).toBe(2700)
})
