// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, day, invoiceOf, week } from './a-sandbox.ts'
import { readPdf } from './read-pdf.ts'

const automatic_tax = { enabled: true }
const paris = { country: 'FR', postal_code: '75001', city: 'Paris', line1: '1 rue de Rivoli' }
const berlin = { country: 'DE', postal_code: '10115', city: 'Berlin', line1: 'Invalidenstraße 1' }
const nowhere = { country: 'US', postal_code: '00000' }

/** A customer with this address, and a function that subscribes them with automatic tax. */
async function aPayer(address: Stripe.AddressParam) {
  const sandbox = await aSandbox()
  const { customer, card } = await sandbox.aCustomer('pm_card_visa')
  await sandbox.stripe.customers.update(customer.id, { address })
  const subscribe = () => sandbox.subscribes(customer.id, card?.id, 'price_pro', { automatic_tax })
  const page = async ({ hosted_invoice_url }: Stripe.Invoice) =>
    (await sandbox.open(hosted_invoice_url ?? '')).text()
  const newest = async () =>
    (await sandbox.stripe.invoices.list({ customer: customer.id, limit: 1 })).data[0]!
  return { ...sandbox, customer, card, subscribe, page, newest }
}

test.each([
  [paris, 200, 'standard_rated'],
  [berlin, 190, 'standard_rated'],
  [{ country: 'US', postal_code: '62701' }, 0, 'not_collecting'],
])(
  'the customer’s address determines the automatic tax',
  async (address, tax, taxability_reason) => {
    const { stripe, customer, subscribe } = await aPayer(address)
    const preview = await stripe.invoices.createPreview({
      customer: customer.id,
      automatic_tax,
      subscription_details: { items: [{ price: 'price_pro' }] },
    })
    const subscription = await subscribe()
    expect(subscription.automatic_tax).toEqual({
      enabled: true,
      disabled_reason: null,
      liability: { type: 'self' },
    })
    for (const invoice of [preview, invoiceOf(subscription)]) {
      expect(invoice).toMatchObject({
        subtotal: 1000,
        total_excluding_tax: 1000,
        total: 1000 + tax,
        amount_due: 1000 + tax,
      })
      expect(invoice.automatic_tax).toMatchObject({
        enabled: true,
        status: 'complete',
        provider: 'stripe',
      })
      const amounts = {
        amount: tax,
        taxable_amount: 1000,
        tax_behavior: 'exclusive',
        taxability_reason,
      }
      expect(invoice.total_taxes).toMatchObject([amounts])
      expect(invoice.lines.data[0]!.taxes).toMatchObject([amounts])
    }
    expect(invoiceOf(subscription)).toMatchObject({ status: 'paid', amount_paid: 1000 + tax })
  },
)

test('a subscription without automatic tax has no tax on its invoice', async () => {
  const { subscribes, customer, card } = await aPayer(paris)
  expect(invoiceOf(await subscribes(customer.id, card?.id))).toMatchObject({
    total: 1000,
    total_taxes: [],
    automatic_tax: { status: null },
  })
})

test('a business in the EU with a tax id is charged no tax, and its invoice says that the business owes the tax itself', async () => {
  const { stripe, customer, subscribe, page } = await aPayer(paris)
  await stripe.customers.createTaxId(customer.id, { type: 'eu_vat', value: 'FR12345678901' })
  const invoice = invoiceOf(await subscribe())
  expect(invoice).toMatchObject({
    total: 1000,
    total_taxes: [{ amount: 0, taxability_reason: 'reverse_charge' }],
  })
  expect(await page(invoice)).toContain('reverse charge')
})

test('the credit for the rest of a week includes tax, and the invoice’s page and PDF show the tax rate', async () => {
  const { stripe, open, raw, subscribe, advance, newest, page } = await aPayer(paris)
  const { id, items } = await subscribe()
  await advance(3.5 * day)
  const change: Stripe.SubscriptionUpdateParams = {
    items: [{ id: items.data[0]!.id, price: 'price_enterprise' }],
    proration_behavior: 'always_invoice',
  }
  const together = {
    'items[0][id]': items.data[0]!.id,
    'items[0][price]': 'price_enterprise',
    'automatic_tax[enabled]': 'true',
  }
  const refused = await raw('POST', `/subscriptions/${id}`, {
    ...together,
    payment_behavior: 'pending_if_incomplete',
  })
  expect(refused).toMatchObject({ status: 400, body: { error: { param: 'automatic_tax' } } })
  await stripe.subscriptions.update(id, { ...change, payment_behavior: 'pending_if_incomplete' })
  const invoice = await newest()
  expect(invoice.lines.data.map(({ amount, taxes }) => [amount, taxes![0]!.amount])).toEqual([
    [-500, -100],
    [1500, 300],
  ])
  expect(invoice).toMatchObject({ subtotal: 1000, total: 1200, amount_paid: 1200 })
  const shown = await page(invoice)
  for (const words of ['Tax (20%)', '$2.00', '$12.00']) expect(shown).toContain(words)
  expect(await readPdf(await open(invoice.invoice_pdf ?? ''))).toContain('$2.00')
})

test('automatic tax refuses a subscription without a known customer address, and a change to an unknown address while a subscription needs it', async () => {
  const { stripe, customer, subscribe, subscribes, card } = await aPayer(nowhere)
  const unknown = { statusCode: 400, code: 'customer_tax_location_invalid' }
  await expect(subscribe()).rejects.toMatchObject(unknown)
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([])
  await expect(
    stripe.customers.update(customer.id, {
      address: nowhere,
      tax: { validate_location: 'immediately' },
    }),
  ).rejects.toMatchObject(unknown)
  const { id } = await subscribes(customer.id, card?.id)
  await expect(stripe.subscriptions.update(id, { automatic_tax })).rejects.toMatchObject(unknown)
  await stripe.customers.update(customer.id, { address: paris })
  expect((await stripe.subscriptions.update(id, { automatic_tax })).automatic_tax.enabled).toBe(
    true,
  )
  await expect(stripe.customers.update(customer.id, { address: nowhere })).rejects.toMatchObject(
    unknown,
  )
})

test('the invoice of a renewal with automatic tax stays a draft while the customer’s address is unknown', async () => {
  const { stripe, customer, subscribe, advance, newest, events } = await aPayer(paris)
  await subscribe()
  await stripe.customers.update(customer.id, {
    address: nowhere,
    tax: { validate_location: 'deferred' },
  })
  await advance(week + day)
  const draft = await newest()
  expect(draft).toMatchObject({
    status: 'draft',
    last_finalization_error: { code: 'customer_tax_location_invalid' },
    automatic_tax: { status: 'requires_location_inputs' },
  })
  expect(events().map(({ type }) => type)).toContain('invoice.finalization_failed')
  await expect(stripe.invoices.pay(draft.id)).rejects.toMatchObject({
    code: 'customer_tax_location_invalid',
  })
  await stripe.customers.update(customer.id, { address: berlin })
  expect(await stripe.invoices.pay(draft.id)).toMatchObject({
    status: 'paid',
    total: 1190,
    last_finalization_error: null,
  })
})
