// @module-tag slow
import { expect, test } from 'vitest'
import type { Invoice } from '#contract/entities.ts'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aWorld, aWorldWith, billingInfo, reasonOf } from '../../tests/world.ts'

const { billingDetails } = billingInfo('x')

test('saved billing details can be read again, and an update leaves fields that it omits as they were', async () => {
  const { owner, subscriptionId } = await aBilledProject({ plan: 'free' })
  const address = { line1: '', city: '', state: '', postal_code: '', country: '' }
  const unsaid = { purchase_order: null, invoice_footer: null }
  const nothing = { billing_email: null, tax_id: null, ...unsaid, receipts: true }
  const read = async () => (await owner.call('getBillingDetails', { subscriptionId })).result
  expect(await read()).toEqual({ name: '', phone: '', address, ...nothing, credit: 0 })
  const tax_id = { type: 'eu_vat', value: 'DE123456789' } as const
  await owner.updatesBilling(subscriptionId, {
    billing_email: 'Books@Example.com',
    tax_id: { ...tax_id, value: 'DE 123.456-789' },
    purchase_order: ' PO 7 ',
    invoice_footer: 'Cost center 12\nHamburg',
    receipts: false,
  })
  const onInvoices = { purchase_order: 'PO 7', invoice_footer: 'Cost center 12\nHamburg' }
  const kept = {
    billing_email: 'books@example.com',
    tax_id,
    ...onInvoices,
    receipts: false,
    credit: 0,
  }
  expect(await read()).toEqual({ ...billingDetails, ...kept })
  const phone = '+49 30 1234'
  await owner.updatesBilling(subscriptionId, { phone })
  expect(await read()).toEqual({ ...billingDetails, ...kept, phone })
  await owner.updatesBilling(subscriptionId, nothing)
  expect(await read()).toEqual({ ...billingDetails, ...nothing, credit: 0 })
})

test('an update of billing details that the payment provider refuses leaves the tax id as it was', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  const read = () => owner.does('getBillingDetails', { subscriptionId })
  const before = await read()
  const tax_id = { type: 'eu_vat', value: 'DE123456789' } as const
  for (const skip of [1, 2, 3]) {
    // Jobs of the purchase and of the update before ask the provider, too.
    await world.passAtProvider(1)
    await world.control({ api: { fault: 401, skip, times: 1 } })
    const answer = await owner.updatesBilling(subscriptionId, { tax_id, phone: '1234' })
    await world.control({ reset: true })
    expect(answer.error, `${skip}`).toBeDefined()
    expect(await read(), `${skip}`).toEqual(before)
  }
})

test('Stripe accepts billing details of the maximum lengths that our API allows', async () => {
  const [, owner] = await aWorldWith('ann')
  const longest = 'é'.repeat(200)
  const address = {
    line1: longest,
    line2: longest,
    city: longest,
    state: longest,
    postal_code: 'é'.repeat(20),
    country: 'US',
  }
  const told = { name: longest, phone: '1'.repeat(20), address }
  const billingInfo = { billingDetails: told, paymentMethodId: 'pm_card_visa' }
  const { subscriptionId } = await owner.does('createSubscription', { planId: 'pro', billingInfo })
  expect(await owner.does('getBillingDetails', { subscriptionId })).toMatchObject(told)
  const changed = { ...told, phone: '2'.repeat(20) }
  await owner.does('updateBillingDetails', { subscriptionId, ...changed })
  const tooLong = { ...told, phone: '2'.repeat(21) }
  expect(
    (await owner.call('updateBillingDetails', { subscriptionId, ...tooLong })).error!.details,
  ).toEqual({ reason: 'invalidInput', fields: { phone: 'too_big' } })
})

test('an update of billing details can’t set other fields of the Stripe customer, such as its balance', async () => {
  const { owner, subscriptionId } = await aBilledProject()
  for (const field of ['balance', 'tax_exempt', 'email', 'metadata', 'invoice_settings']) {
    const { error } = await owner.updatesBilling(subscriptionId, { [field]: '1' })
    const details = { reason: 'invalidInput', fields: { [field]: 'unknown' } }
    expect(error!.details, field).toEqual(details)
  }
  const wrong = await owner.updatesBilling(subscriptionId, {
    tax_id: { type: 'eu_vat', value: '12' },
  })
  expect(reasonOf(wrong)).toBe('taxIdInvalid')
  const { city: _, ...address } = billingDetails.address
  expect(reasonOf(await owner.updatesBilling(subscriptionId, { address } as never))).toBe(
    'addressIncomplete',
  )
})

test('a receipt for each payment is mailed to the billing email address, unless receipts are turned off; it names the project as its invoice does', async () => {
  const world = await aWorld()
  const { owner, subscriptionId, invoices } = await aBilledProject({ world })
  const [{ number }] = (await invoices()) as [Invoice]
  await world.untilWorkedOff()
  await owner.renames(subscriptionId, 'Bridge')
  await world.untilWorkedOff()
  const receiptsTo = async (to: string) =>
    (await world.mails(to)).filter(({ subject }) => subject.startsWith('Your receipt'))
  expect(await receiptsTo('owner@example.com')).toMatchObject([
    {
      subject: `Your receipt for invoice ${number}: $10.00`,
      text: expect.stringContaining('for your project on Pro'),
      links: expect.arrayContaining([expect.stringContaining('/invoices/')]),
    },
  ])
  await owner.updatesBilling(subscriptionId, { billing_email: 'books@example.com' })
  await world.passAtProvider(8 * 24 * 3600)
  expect(await receiptsTo('books@example.com')).toMatchObject([
    { subject: 'Your receipt for Bridge: $10.00' },
  ])
  const { rows } = await world.pool.query<{ fields: unknown }>(
    `select body->'custom_fields' fields from sandbox.objects where type = 'invoice' order by seq`,
  )
  expect(rows.map(({ fields }) => fields)).toEqual([
    [{ name: 'Project', value: subscriptionId }],
    [{ name: 'Project', value: 'Bridge' }],
  ])
  await owner.updatesBilling(subscriptionId, { receipts: false })
  await world.passAtProvider(7 * 24 * 3600)
  expect(await receiptsTo('books@example.com')).toHaveLength(1)
  expect(await receiptsTo('owner@example.com')).toHaveLength(1)
})

test('a purchase order number and a text stand on later invoices, until another owner comes', async () => {
  const world = await aWorld()
  const { owner, subscriptionId } = await aBilledProject({ world })
  const bob = await world.aPerson('bob')
  await world.addMember(subscriptionId, bob, ['access', 'admin'])
  await owner.updatesBilling(subscriptionId, { purchase_order: 'PO 7', invoice_footer: 'Hamburg' })
  const newest = async () => {
    await world.passAtProvider(7.2 * 24 * 3600)
    const { rows } = await world.pool.query<{ fields: { value: string }[]; footer: string }>(
      `select body->'custom_fields' fields, body->>'footer' footer
       from sandbox.objects where type = 'invoice' order by seq desc limit 1`,
    )
    const [{ fields, footer }] = rows as [(typeof rows)[number]]
    return [...fields.slice(1).map(({ value }) => value), footer]
  }
  expect(await newest()).toEqual(['PO 7', 'Hamburg'])
  await owner.transfers(subscriptionId, bob)
  expect(await newest()).toEqual([null])
})
