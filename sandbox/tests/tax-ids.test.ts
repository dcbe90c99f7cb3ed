// @module-tag slow
import { expect, test } from 'vitest'
import { aSandbox, hour, invoiceOf, week } from './a-sandbox.ts'
import { readPdf } from './read-pdf.ts'
import { taxIdTypes } from '../objects/tax-id.ts'

test('the tax ids of a customer can be added, listed, read and deleted', async () => {
  const { stripe, aCustomer } = await aSandbox()
  const { customer } = await aCustomer()
  const vat = await stripe.customers.createTaxId(customer.id, {
    type: 'eu_vat',
    value: 'EL123456789',
  })
  expect(vat).toMatchObject({
    country: 'GR',
    customer: customer.id,
    verification: { status: 'pending' },
  })
  const ein = await stripe.customers.createTaxId(customer.id, {
    type: 'us_ein',
    value: '12-3456789',
  })
  expect(ein).toMatchObject({ country: 'US', verification: { status: 'unavailable' } })
  expect((await stripe.customers.listTaxIds(customer.id)).data.map(({ id }) => id)).toEqual([
    ein.id,
    vat.id,
  ])
  expect(await stripe.customers.retrieveTaxId(customer.id, vat.id)).toMatchObject({
    value: 'EL123456789',
  })
  const { customer: other } = await aCustomer()
  await expect(stripe.customers.deleteTaxId(other.id, vat.id)).rejects.toMatchObject({
    code: 'resource_missing',
  })
  expect(await stripe.customers.deleteTaxId(customer.id, vat.id)).toMatchObject({
    id: vat.id,
    deleted: true,
  })
  await expect(stripe.customers.deleteTaxId(customer.id, vat.id)).rejects.toMatchObject({
    code: 'resource_missing',
  })
  expect((await stripe.customers.listTaxIds(customer.id)).data.map(({ id }) => id)).toEqual([
    ein.id,
  ])
})

test.each([
  ['eu_vat', 'DE123456789', '123456789'],
  ['eu_vat', 'ATU12345678', 'GB123456789'],
  ['eu_vat', 'XI123456789', 'DE'],
  ['gb_vat', 'GB123456789', 'GB12345678'],
  ['ch_vat', 'CHE-123.456.789 MWST', 'CHE-123.456.789'],
  ['us_ein', '12-3456789', '12-345678'],
  ['au_abn', '12345678912', '1234567891'],
  ['ca_bn', '123456789', '12345678A'],
  ['in_gst', '12ABCDE3456FGZH', '12ABCDE3456'],
  ['jp_cn', '1234567891234', '12345'],
  ['br_cnpj', '01.234.456/5432-10', '01.234.456'],
  ['no_vat', '123456789MVA', '1'],
  ['ad_nrt', 'A-123456-Z', 'A 123456 Z'],
] as const)('the tax id type %s accepts %s and refuses %s', async (type, right, wrong) => {
  const { stripe, aCustomer } = await aSandbox()
  const { customer } = await aCustomer()
  expect(await stripe.customers.createTaxId(customer.id, { type, value: right })).toMatchObject({
    type,
    value: right,
  })
  const refused = stripe.customers.createTaxId(customer.id, { type, value: wrong })
  await expect(refused).rejects.toMatchObject({
    statusCode: 400,
    code: 'tax_id_invalid',
    param: 'value',
    type: 'StripeInvalidRequestError',
  })
})

test('the API accepts every tax id type in the SDK’s types, and no other', async () => {
  const { raw, aCustomer } = await aSandbox()
  const { customer } = await aCustomer()
  expect(new Set(taxIdTypes).size).toBe(135)
  const refused = await raw('POST', `/customers/${customer.id}/tax_ids`, {
    type: 'unknown',
    value: '12',
  })
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error', param: 'type' } },
  })
})

test('a new invoice, its page and its PDF show the customer’s tax ids, and a final invoice keeps them', async () => {
  const { stripe, open, aCustomer, subscribes, advance } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const vat = await stripe.customers.createTaxId(customer.id, {
    type: 'eu_vat',
    value: 'DE123456789',
  })
  const subscription = await subscribes(customer.id, card?.id)
  const invoice = invoiceOf(subscription)
  expect(invoice.customer_tax_ids).toEqual([{ type: 'eu_vat', value: 'DE123456789' }])
  expect(await (await open(invoice.hosted_invoice_url ?? '')).text()).toContain(
    'EU VAT DE123456789',
  )
  expect(await readPdf(await open(invoice.invoice_pdf ?? ''))).toContain('EU VAT DE123456789')
  const preview = await stripe.invoices.createPreview({ subscription: subscription.id })
  expect(preview.customer_tax_ids).toEqual([{ type: 'eu_vat', value: 'DE123456789' }])
  await advance(week)
  await stripe.customers.deleteTaxId(customer.id, vat.id)
  await advance(hour)
  const [renewal, first] = (await stripe.invoices.list({ subscription: subscription.id })).data
  expect(first?.customer_tax_ids).toEqual([{ type: 'eu_vat', value: 'DE123456789' }])
  expect(renewal).toMatchObject({ status: 'paid', customer_tax_ids: [] })
})
