// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSubscription, intentOf, invoiceOf } from './a-sandbox.ts'

/** A subscription whose first week was paid with a card. */
async function aPayment() {
  const sandbox = await aSubscription()
  const { subscription } = sandbox
  const { id: payment } = intentOf(subscription)
  const { id: invoice, hosted_invoice_url } = invoiceOf(subscription)
  const charge = async () =>
    (await sandbox.stripe.paymentIntents.retrieve(payment, { expand: ['latest_charge'] }))
      .latest_charge as Stripe.Charge
  const sentEvents = async () => {
    const { data } = await sandbox.stripe.events.list({ limit: 100 })
    return data
      .map(({ type }) => type)
      .filter((type) => /^(charge|refund|credit_note)/.test(type))
      .toReversed()
  }
  const page = async () => (await sandbox.open(hosted_invoice_url ?? '')).text()
  return { ...sandbox, payment, invoice, charge, sentEvents, page }
}

test('a payment is refunded in parts, and never more than was paid', async () => {
  const { stripe, payment, charge, sentEvents, page } = await aPayment()
  expect(await charge()).toMatchObject({
    amount: 1000,
    amount_refunded: 0,
    refunded: false,
    payment_intent: payment,
  })
  const part = await stripe.refunds.create({ payment_intent: payment, amount: 400 })
  expect(part).toMatchObject({ amount: 400, status: 'succeeded', charge: (await charge()).id })
  expect(await charge()).toMatchObject({ amount_refunded: 400, refunded: false })
  expect(await page()).toMatch(/Refunded[\s\S]*\$4\.00/)
  await expect(
    stripe.refunds.create({ payment_intent: payment, amount: 601 }),
  ).rejects.toMatchObject({ statusCode: 400, param: 'amount' })
  await stripe.refunds.create({ charge: (await charge()).id })
  expect(await charge()).toMatchObject({ amount_refunded: 1000, refunded: true })
  await expect(stripe.refunds.create({ payment_intent: payment })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  })
  expect(
    (await stripe.refunds.list({ payment_intent: payment })).data.map(({ amount }) => amount),
  ).toEqual([600, 400])
  expect(await sentEvents()).toEqual([
    'charge.refunded',
    'refund.created',
    'charge.refunded',
    'refund.created',
  ])
})

test('a refund that the bank rejects does not change the payment', async () => {
  const { stripe, aCustomer, subscribes, sentEvents } = await aPayment()
  const { customer, card } = await aCustomer('pm_card_refundFail')
  const { id } = intentOf(await subscribes(customer.id, card?.id))
  expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({
    status: 'failed',
    failure_reason: 'lost_or_stolen_card',
  })
  const { latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
  expect(latest_charge).toMatchObject({ amount_refunded: 0, refunded: false })
  expect(await sentEvents()).toEqual([
    'charge.refunded',
    'refund.created',
    'refund.updated',
    'refund.failed',
  ])
})

test('a refund is refused if its payment is missing or unpaid', async () => {
  const { stripe, aCustomer, subscribes } = await aPayment()
  const { customer, card } = await aCustomer('pm_card_chargeCustomerFail')
  const { id: unpaid } = intentOf(await subscribes(customer.id, card?.id))
  await expect(stripe.refunds.create({ payment_intent: unpaid })).rejects.toMatchObject({
    statusCode: 400,
    param: 'payment_intent',
  })
  await expect(stripe.refunds.create({ payment_intent: 'pi_none' })).rejects.toMatchObject({
    code: 'resource_missing',
  })
  await expect(stripe.refunds.create({})).rejects.toMatchObject({ statusCode: 400 })
})

test('the API finds the invoice that a payment intent pays', async () => {
  const { stripe, payment, invoice } = await aPayment()
  const of = (id: string) =>
    stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: id } })
  expect((await of(payment)).data).toMatchObject([
    { object: 'invoice_payment', invoice, status: 'paid', amount_paid: 1000 },
  ])
  expect((await stripe.invoicePayments.list({ invoice })).data).toEqual((await of(payment)).data)
  expect((await of('pi_none')).data).toEqual([])
})

test('a credit note refunds its amount, and its invoice shows the refunded amount', async () => {
  const { stripe, invoice, charge, sentEvents } = await aPayment()
  await expect(stripe.creditNotes.create({ invoice, amount: 300 })).rejects.toMatchObject({
    statusCode: 400,
  })
  const note = await stripe.creditNotes.create({
    invoice,
    amount: 300,
    refund_amount: 300,
    memo: 'A slow week',
  })
  expect(note).toMatchObject({
    amount: 300,
    invoice,
    type: 'post_payment',
    memo: 'A slow week',
    status: 'issued',
  })
  expect(note.number).toMatch(/^[A-Z0-9]+-0001-CN-01$/)
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
    post_payment_credit_notes_amount: 300,
    status: 'paid',
    amount_paid: 1000,
  })
  expect(await charge()).toMatchObject({ amount_refunded: 300 })
  expect(await stripe.creditNotes.retrieve(note.id)).toEqual(note)
  expect(await sentEvents()).toEqual(['charge.refunded', 'refund.created', 'credit_note.created'])
  expect(
    (await stripe.creditNotes.create({ invoice, amount: 1, refund_amount: 1 })).number,
  ).toMatch(/-CN-02$/)
})

test.each(['won', 'lost'] as const)(
  'a disputed payment cannot be refunded, and the dispute can end as %s',
  async (outcome) => {
    const { stripe, payment, charge, control, sentEvents } = await aPayment()
    const dispute = async () => (await stripe.disputes.list({ payment_intent: payment })).data[0]!
    expect((await control({ dispute: { payment } })).status).toBe(200)
    expect(await dispute()).toMatchObject({
      amount: 1000,
      status: 'needs_response',
      charge: (await charge()).id,
    })
    expect(await charge()).toMatchObject({ disputed: true })
    await expect(stripe.refunds.create({ payment_intent: payment })).rejects.toMatchObject({
      code: 'charge_disputed',
    })
    expect((await control({ dispute: { payment } })).status).toBe(400)
    await control({ dispute: { payment, outcome } })
    expect(await stripe.disputes.retrieve((await dispute()).id)).toMatchObject({ status: outcome })
    expect((await control({ dispute: { payment, outcome } })).status).toBe(400)
    expect(await sentEvents()).toEqual([
      'charge.dispute.created',
      'charge.dispute.updated',
      'charge.dispute.closed',
    ])
  },
)

test('the control page can refund and dispute payments', async () => {
  const { payment, open, submit, overview } = await aPayment()
  const press = async (fields: Record<string, string>) => {
    expect((await submit('/sandbox/control', fields)).headers.get('location')).toBe(
      '/sandbox/control#payments',
    )
    return (await open('/sandbox/control')).text()
  }
  expect(await (await open('/sandbox/control')).text()).toContain(payment)
  expect(await press({ 'dispute[payment]': payment, 'dispute[outcome]': 'open' })).toContain(
    'Disputed',
  )
  expect(await press({ 'dispute[payment]': payment, 'dispute[outcome]': 'lost' })).toContain(
    'Dispute lost',
  )
  expect((await overview()).payments).toMatchObject([
    { id: payment, amount: 1000, amount_refunded: 0, dispute: 'lost' },
  ])
  const another = await aPayment()
  await another.submit('/sandbox/control', { 'refund[payment]': another.payment })
  expect((await another.overview()).payments).toMatchObject([
    { amount_refunded: 1000, dispute: null },
  ])
  expect((await another.submit('/sandbox/control', { 'refund[payment]': 'pi_none' })).status).toBe(
    400,
  )
})

test('a list of events can be filtered by at most twenty types, as at Stripe', async () => {
  const { raw } = await aPayment()
  const asked = (count: number) =>
    Array.from({ length: count }, (_, index) => `types[${index}]=invoice.paid`).join('&')
  expect((await raw('GET', `/events?${asked(20)}`)).status).toBe(200)
  expect((await raw('GET', `/events?${asked(21)}`)).status).toBe(400)
})
