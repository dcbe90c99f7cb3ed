import { expect, test } from 'vitest'
import { aSandbox, week, type Wire } from './a-sandbox.ts'
import { differencesFromExamples, kindOf } from './wire/examples.ts'
import { complaintsOf } from './wire/violations.ts'

const kindsOfTheSandbox = [
  'customer event invoice invoice_payment line_item payment_intent payment_method price product',
  'coupon discount promotion_code setup_intent subscription subscription_schedule tax_id webhook_endpoint deleted_customer deleted_tax_id deleted_webhook_endpoint',
].flatMap((line) => line.split(' '))

test('every object that the API returns matches the SDK’s types and Stripe’s public examples', async () => {
  const { raw, aCustomer, subscribes, advance, control, events, stripe, asBrowser } =
    await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const active = await subscribes(customer.id, card?.id)
  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer.id,
  })
  await subscribes(customer.id, failing.id)
  const asking = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: customer.id,
  })
  await subscribes(customer.id, asking.id)
  await stripe.customers.update(customer.id, { address: { country: 'DE', postal_code: '10115' } })
  await raw('POST', `/subscriptions/${active.id}`, { 'automatic_tax[enabled]': 'true' })
  const item = active.items.data[0]?.id ?? ''
  await raw('POST', `/subscriptions/${active.id}`, {
    'items[0][id]': item,
    'items[0][price]': 'price_enterprise',
    proration_behavior: 'always_invoice',
  })
  await raw('POST', `/subscriptions/${active.id}`, {
    'items[0][id]': item,
    'items[0][price]': 'price_pro',
    'items[0][quantity]': '9',
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    'expand[0]': 'latest_invoice',
  })
  await raw('POST', `/customers/${customer.id}/tax_ids`, { type: 'eu_vat', value: 'DE123456789' })
  const endpoint = await raw('POST', '/webhook_endpoints', {
    url: 'https://example.com',
    'enabled_events[0]': '*',
  })
  const product = await raw('POST', '/products', { name: 'Team' })
  const price = await raw('POST', '/prices', {
    product: String(product.body.id),
    currency: 'usd',
    unit_amount: '2000',
    'recurring[interval]': 'week',
    lookup_key: 'team',
  })
  await raw('POST', `/products/${String(product.body.id)}`, { name: 'Teams' })
  await raw('POST', '/subscription_schedules', { from_subscription: active.id })
  const coupon = await raw('POST', '/coupons', { percent_off: '10', duration: 'forever' })
  const code = await raw('POST', '/promotion_codes', {
    'promotion[type]': 'coupon',
    'promotion[coupon]': String(coupon.body.id),
  })
  const discounted = await raw('POST', `/subscriptions/${active.id}`, {
    'discounts[0][promotion_code]': String(code.body.id),
    'expand[0]': 'discounts',
  })
  const abandoned = await raw('POST', '/setup_intents', {})
  await raw('POST', `/setup_intents/${String(abandoned.body.id)}/cancel`, {})
  const preview = await raw('POST', '/invoices/create_preview', { subscription: active.id })
  const taxed = await raw('POST', '/prices/price_pro', { tax_behavior: 'exclusive' })
  const setup = await raw('POST', '/setup_intents', { customer: customer.id })
  await asBrowser(`/setup_intents/${String(setup.body.id)}/confirm`, {
    client_secret: String(setup.body.client_secret),
    payment_method: 'pm_card_chargeDeclined',
  })
  const setupAfter = await raw('GET', `/setup_intents/${String(setup.body.id)}`)
  const before = await everything(raw, customer.id)
  const intent = String(
    before.find(({ object, status }) => object === 'payment_intent' && status === 'succeeded')?.id,
  )
  await raw('POST', '/refunds', { payment_intent: intent, amount: '100' })
  const paidInvoice = (
    await raw(
      'GET',
      `/invoice_payments?payment[type]=payment_intent&payment[payment_intent]=${intent}`,
    )
  ).body.data![0]!
  const credited = { invoice: String(paidInvoice['invoice']), amount: '100', refund_amount: '100' }
  const note = (await raw('POST', '/credit_notes', credited)).body
  await control({ dispute: { payment: intent } })
  await control({ dispute: { payment: intent, outcome: 'won' } })
  await stripe.invoices.markUncollectible(
    (await stripe.invoices.list({ status: 'open' })).data[0]?.id ?? '',
  )
  const taxId = (await stripe.customers.listTaxIds(customer.id)).data[0]?.id
  const gone = [
    await raw('DELETE', `/customers/${customer.id}/tax_ids/${taxId}`),
    await raw('DELETE', `/webhook_endpoints/${endpoint.body.id}`),
    await raw('DELETE', `/customers/${(await aCustomer()).customer.id}`),
  ]
  await advance(week)
  const lines = (note['lines'] as { data: Wire[] }).data
  const objects = [
    ...lines,
    paidInvoice,
    endpoint.body,
    price.body,
    taxed.body,
    coupon.body,
    code.body,
    ...(discounted.body['discounts'] as Wire[]),
    preview.body,
    setup.body,
    setupAfter.body,
    ...before,
    ...(await everything(raw, customer.id)),
  ]
  const statuses = objects
    .filter(({ object }) => object === 'payment_intent')
    .map(({ status }) => String(status))
  expect(new Set(statuses)).toEqual(
    new Set(['succeeded', 'requires_action', 'requires_payment_method', 'canceled']),
  )
  expect(objects.flatMap(complaintsOf)).toEqual([])
  const shown = [...objects, ...gone.map(({ body }) => body)]
  expect([...new Set(differencesFromExamples(shown))]).toEqual([])
  const kinds = new Set(shown.map(kindOf))
  expect(kindsOfTheSandbox.filter((kind) => !kinds.has(kind))).toEqual([])
  expect(events().flatMap(({ data }) => complaintsOf(data.object))).toEqual([])
  expect(JSON.stringify(objects)).not.toContain('$hidden')
})

/** The objects in the answers to many list requests, with invoice lines and payment intents. */
async function everything(
  raw: Awaited<ReturnType<typeof aSandbox>>['raw'],
  customer: string,
): Promise<Wire[]> {
  const inSubscriptions = [
    'latest_invoice.payments',
    'latest_invoice.confirmation_secret',
    'customer',
    'default_payment_method',
  ]
  const inInvoices = ['payments', 'confirmation_secret', 'parent.subscription_details.subscription']
  const expanding = (paths: string[]) => paths.map((path) => `&expand[]=data.${path}`).join('')
  const lists = await Promise.all([
    raw('GET', `/subscriptions?status=all${expanding(inSubscriptions)}`),
    raw('GET', `/invoices?limit=100${expanding(inInvoices)}`),
    raw('GET', '/events?limit=100'),
    raw('GET', '/customers'),
    raw('GET', '/products'),
    raw('GET', '/prices?expand[]=data.product'),
    raw('GET', `/payment_methods?customer=${customer}`),
    raw('GET', `/customers/${customer}/payment_methods`),
    raw('GET', `/customers/${customer}/tax_ids`),
    raw('GET', '/webhook_endpoints'),
    raw('GET', '/subscription_schedules'),
    raw('GET', '/charges'),
    raw('GET', '/refunds'),
    raw('GET', '/disputes'),
    raw('GET', `/credit_notes?customer=${customer}`),
  ])
  const objects = lists.flatMap(({ body }) => body.data ?? [])
  const invoice = objects.find(({ object }) => object === 'invoice')?.id ?? ''
  const lines = (await raw('GET', `/invoices/${invoice}/lines`)).body.data ?? []
  const payments = objects.flatMap(({ payments: paid }) => paid?.data ?? [])
  const intents = payments.map(({ payment }) =>
    raw('GET', `/payment_intents/${payment!.payment_intent as string}`),
  )
  return [
    ...objects,
    ...lines,
    ...payments,
    ...(await Promise.all(intents)).map(({ body }) => body),
  ]
}

test('the check against the SDK’s types finds a missing field, a wrong value and an unknown field', async () => {
  const { raw } = await aSandbox()
  const { body } = await raw('GET', '/prices/price_pro')
  const { currency: _, ...without } = body
  expect(complaintsOf(body)).toEqual([])
  expect(complaintsOf(without)).toEqual([`price must have required property 'currency' (currency)`])
  expect(complaintsOf({ ...body, billing_scheme: 'by the pound' })).toHaveLength(1)
  expect(complaintsOf({ ...body, colour: 'red' })).toEqual([
    'price must NOT have additional properties (colour)',
  ])
})

test('the comparison with Stripe’s public examples finds a missing field and a field of a wrong type', async () => {
  const { raw } = await aSandbox()
  const { body } = await raw('GET', '/prices/price_pro')
  const { currency: _, ...without } = body
  expect(differencesFromExamples(body)).toEqual([])
  expect(differencesFromExamples({ data: [without] })).toEqual(['price.currency is missing'])
  expect(differencesFromExamples({ ...body, active: 'yes', recurring: [] })).toEqual([
    'price.active: string for boolean',
    'price.recurring: no object',
  ])
})
