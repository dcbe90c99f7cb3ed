import { expect, test } from 'vitest'
import { aSandbox, hour, intentOf } from './a-sandbox.ts'

const cardsAlone = {
  payment_settings: {
    payment_method_types: ['card' as const],
    save_default_payment_method: 'on_subscription' as const,
  },
}

async function withLink() {
  const sandbox = await aSandbox()
  const { customer } = await sandbox.aCustomer()
  const made = await sandbox.asBrowser('/payment_methods', {
    type: 'link',
    'billing_details[email]': 'ann@example.com',
  })
  const link = await sandbox.stripe.paymentMethods.attach(made.body.id!, { customer: customer.id })
  return { ...sandbox, customer, link }
}

test('a subscription can be paid with Link, and a list of cards does not include Link', async () => {
  const { stripe, subscribes, customer, link } = await withLink()
  expect(link).toMatchObject({ type: 'link', link: { email: 'ann@example.com' } })
  expect((await stripe.customers.listPaymentMethods(customer.id, { type: 'card' })).data).toEqual(
    [],
  )
  const subscription = await subscribes(customer.id, link.id)
  expect(subscription).toMatchObject({ status: 'active', default_payment_method: link.id })
  expect(intentOf(subscription).payment_method_types).toEqual(['card', 'link', 'us_bank_account'])
})

test('a subscription or setup intent that allows only cards refuses Link', async () => {
  const { stripe, subscribes, aCustomer, asBrowser, customer, link } = await withLink()
  await expect(subscribes(customer.id, link.id, 'price_pro', cardsAlone)).rejects.toMatchObject({
    param: 'default_payment_method',
  })
  const { customer: bob, card } = await aCustomer('pm_card_visa')
  expect(
    intentOf(await subscribes(bob.id, card!.id, 'price_pro', cardsAlone)).payment_method_types,
  ).toEqual(['card'])
  const { id, client_secret } = await stripe.setupIntents.create({
    customer: customer.id,
    allowed_payment_method_types: ['card'],
  })
  const confirmed = await asBrowser(`/setup_intents/${id}/confirm`, {
    client_secret: client_secret!,
    payment_method: link.id,
  })
  expect(confirmed).toMatchObject({ status: 400, body: { error: { param: 'payment_method' } } })
})

test('a bank account cannot be attached to a customer without a mandate', async () => {
  const { stripe, asBrowser, aCustomer } = await aSandbox()
  const { customer } = await aCustomer()
  const account = {
    account_number: '000123456789',
    routing_number: '110000000',
    account_holder_type: 'individual',
  }
  const fields = Object.fromEntries(
    Object.entries(account).map(([name, value]) => [`us_bank_account[${name}]`, value]),
  )
  const { body } = await asBrowser('/payment_methods', { type: 'us_bank_account', ...fields })
  expect(body).toMatchObject({ type: 'us_bank_account', us_bank_account: { last4: '6789' } })
  await expect(
    stripe.paymentMethods.attach(body.id!, { customer: customer.id }),
  ).rejects.toMatchObject({ type: 'StripeInvalidRequestError', code: undefined, param: undefined })
})

test('a charge that the bank does not answer at once is processing, and paid half a day later', async () => {
  const { stripe, control, advance, subscribes, aCustomer } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  await control({ charges: { fail: 1, code: 'processing' } })
  const waiting = await subscribes(customer.id, card!.id)
  expect(waiting).toMatchObject({ status: 'incomplete', latest_invoice: { status: 'open' } })
  expect(intentOf(waiting)).toMatchObject({
    status: 'processing',
    processing: { type: 'card' },
    last_payment_error: null,
  })
  await advance(13 * hour)
  expect(await stripe.subscriptions.retrieve(waiting.id)).toMatchObject({ status: 'active' })
  expect(await stripe.paymentIntents.retrieve(intentOf(waiting).id)).toMatchObject({
    status: 'succeeded',
    processing: null,
  })
})
