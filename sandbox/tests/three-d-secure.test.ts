// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, aSubscription, hour, intentOf, invoiceOf, week } from './a-sandbox.ts'

async function aWaitingSubscription(card = 'pm_card_authenticationRequired') {
  const sandbox = await aSubscription({ card })
  const intent = intentOf(sandbox.subscription)
  const path = new URL(intent.next_action?.redirect_to_url?.url ?? '')
  const answer = (outcome: string) =>
    sandbox.submit(path.href, { outcome, client_secret: intent.client_secret ?? '' })
  return { ...sandbox, intent, path, answer }
}

test('a new subscription whose card asks for 3-D Secure is incomplete and has the URL of the 3-D Secure page', async () => {
  const { subscription, intent, path, open } = await aWaitingSubscription()
  expect(subscription).toMatchObject({ status: 'incomplete' })
  expect(intent).toMatchObject({
    status: 'requires_action',
    next_action: { type: 'redirect_to_url' },
  })
  expect(invoiceOf(subscription).confirmation_secret).toEqual({
    client_secret: intent.client_secret,
    type: 'payment_intent',
  })
  const page = await open(path.href)
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(await page.text()).toContain('Complete authentication')
})

test('passing 3-D Secure pays the invoice and starts the subscription', async () => {
  const { stripe, subscription, intent, answer } = await aWaitingSubscription()
  const page = await (await answer('complete')).text()
  expect(page).toContain('data-status="succeeded"')
  expect(page).toContain(`data-intent="${intent.id}"`)
  const after = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(after).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } })
})

test('failing 3-D Secure charges nothing, and a later attempt can succeed', async () => {
  const { stripe, subscription, intent, answer, asBrowser } = await aWaitingSubscription()
  const page = await (await answer('fail')).text()
  expect(page).toContain('data-status="requires_payment_method"')
  expect(page).toContain('Nothing was charged.')
  const failed = await stripe.paymentIntents.retrieve(intent.id)
  expect(failed).toMatchObject({
    last_payment_error: { code: 'payment_intent_authentication_failure' },
    payment_method: null,
  })
  const confirm = {
    client_secret: intent.client_secret ?? '',
    payment_method: 'pm_card_authenticationRequired',
  }
  expect((await asBrowser(`/payment_intents/${intent.id}/confirm`, confirm)).body).toMatchObject({
    status: 'requires_action',
  })
  await answer('complete')
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' })
})

test('a second answer on the 3-D Secure page changes nothing, and the page is not found with a wrong client secret', async () => {
  const { stripe, intent, answer, open, submit, path } = await aWaitingSubscription()
  await answer('complete')
  await answer('fail')
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' })
  expect((await open(`${path.pathname}?client_secret=wrong`)).status).toBe(404)
  expect(
    (await submit(path.pathname, { outcome: 'complete', client_secret: 'wrong' })).status,
  ).toBe(404)
})

test('a payment can be declined after the cardholder passed 3-D Secure', async () => {
  const { stripe, intent, answer } = await aWaitingSubscription(
    'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
  )
  expect(await (await answer('complete')).text()).toContain('data-status="requires_payment_method"')
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    last_payment_error: { decline_code: 'insufficient_funds' },
  })
})

test('a renewal with a card that asks for 3-D Secure only once is paid, and with a card that always asks it becomes past due', async () => {
  const once = await aWaitingSubscription('pm_card_authenticationRequiredOnSetup')
  await once.answer('complete')
  await once.advance(week + hour)
  expect(await once.now()).toMatchObject({ status: 'active' })
  const always = await aWaitingSubscription()
  await always.answer('complete')
  await always.advance(week + hour)
  expect(await always.now()).toMatchObject({ status: 'past_due' })
  expect(always.events().map(({ type }) => type)).toContain('invoice.payment_action_required')
})

test('a setup intent saves a card once the cardholder passed 3-D Secure', async () => {
  const { stripe, aCustomer, asBrowser, submit, events, advance } = await aSandbox()
  const { customer } = await aCustomer()
  const intent = await stripe.setupIntents.create({
    customer: customer.id,
    allowed_payment_method_types: ['card'],
  })
  expect(intent).toMatchObject({ status: 'requires_payment_method' })
  const client_secret = intent.client_secret ?? ''
  const return_url = 'http://localhost:3000/back?x=1'
  const confirmed = await asBrowser(`/setup_intents/${intent.id}/confirm`, {
    client_secret,
    return_url,
    payment_method: 'pm_card_authenticationRequired',
  })
  expect(confirmed.body).toMatchObject({ object: 'setup_intent', status: 'requires_action' })
  const { url } =
    (confirmed.body.next_action as Stripe.SetupIntent.NextAction).redirect_to_url ?? {}
  const answer = async (outcome: string) =>
    (await submit(url ?? '', { outcome, client_secret })).text()
  expect(await answer('fail')).toContain('The card was not saved.')
  await asBrowser(`/setup_intents/${intent.id}/confirm`, {
    client_secret,
    return_url,
    payment_method: 'pm_card_authenticationRequired',
  })
  const page = await answer('complete')
  expect(page).toContain(`http://localhost:3000/back?x=1&amp;setup_intent=${intent.id}`)
  expect((await stripe.customers.listPaymentMethods(customer.id)).data).toMatchObject([
    { object: 'payment_method', card: { last4: '3184' } },
  ])
  await advance(1)
  expect(events().map(({ type }) => type)).toEqual(
    expect.arrayContaining(['setup_intent.succeeded', 'payment_method.attached']),
  )
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'https://evil.example/back',
  'http://localhost:3000.evil.example/back',
  'http://localhost:3000@evil.example/back',
  'https://localhost:3000/back',
  'http://localhost:4000/back',
])('3-D Secure does not return to %s, where the product is not', async (return_url) => {
  const { stripe, asBrowser } = await aSandbox()
  await expect(stripe.setupIntents.create({ return_url })).rejects.toMatchObject({
    param: 'return_url',
  })
  const { id, client_secret } = await stripe.setupIntents.create()
  const card = { client_secret: client_secret!, payment_method: 'pm_card_authenticationRequired' }
  const confirm = (return_url: string) =>
    asBrowser(`/setup_intents/${id}/confirm`, { ...card, return_url })
  expect(await confirm(return_url)).toMatchObject({
    status: 400,
    body: { error: { param: 'return_url' } },
  })
  expect((await confirm('http://127.0.0.1:3000/back')).status).toBe(200)
})

test('3-D Secure of a sandbox by itself returns only to the address that it was told', async () => {
  const { stripe } = await aSandbox({
    publicUrl: 'https://pay.example.com',
    productUrl: 'https://projects.example.com',
  })
  const from = (return_url: string) => stripe.setupIntents.create({ return_url })
  await from('https://projects.example.com/cards')
  await expect(from('https://pay.example.com/')).rejects.toMatchObject({ param: 'return_url' })
  await expect(from('http://localhost/')).rejects.toMatchObject({ param: 'return_url' })
})

test('a setup intent that refused a declined card accepts another card', async () => {
  const { stripe, aCustomer, asBrowser } = await aSandbox()
  const { customer } = await aCustomer()
  const { id, client_secret } = await stripe.setupIntents.create({ customer: customer.id })
  const confirm = (payment_method: string) =>
    asBrowser(`/setup_intents/${id}/confirm`, {
      client_secret: client_secret ?? '',
      payment_method,
    })
  const refused = await confirm('pm_card_chargeDeclined')
  expect(refused).toMatchObject({
    status: 402,
    body: {
      error: { type: 'card_error', setup_intent: { id, status: 'requires_payment_method' } },
    },
  })
  expect((await confirm('pm_card_mastercard')).body).toMatchObject({
    object: 'setup_intent',
    status: 'succeeded',
  })
  expect((await confirm('pm_card_visa')).body.error).toMatchObject({
    code: 'setup_intent_unexpected_state',
  })
})

test('a card that requires 3-D Secure can be declined', async () => {
  const { status, answer } = await aWaitingSubscription(
    'pm_card_threeDSecureRequiredChargeDeclined',
  )
  expect(await status()).toBe('incomplete')
  await answer('complete')
  expect(await status()).toBe('incomplete')
})

test('a sandbox that runs as its own server lets any app frame its 3-D Secure page, but not its other pages', async () => {
  const { subscription, open } = await aSubscription({
    card: 'pm_card_threeDSecure2Required',
    framedBy: '*',
  })
  const { next_action } = intentOf(subscription)
  const question = (await open(next_action!.redirect_to_url!.url!)).headers
  expect([question.get('content-security-policy'), question.get('x-frame-options')]).toEqual([
    expect.stringMatching(/; frame-ancestors \*$/),
    null,
  ])
  expect((await open('/sandbox/clock')).headers.get('x-frame-options')).toBe('DENY')
})
