import { expect, test } from 'vitest'
import { aSandbox, day, hour, week } from '../tests/stripe/a-sandbox.ts'

async function aProject() {
  const sandbox = await aSandbox()
  const { customer, card } = await sandbox.aCustomer('pm_card_visa')
  const subscription = await sandbox.subscribes(customer.id, card?.id)
  const invoices = async () => (await sandbox.stripe.invoices.list({ subscription: subscription.id, limit: 100 })).data
  const status = async () => (await sandbox.stripe.subscriptions.retrieve(subscription.id)).status
  const use = async (card: string) => {
    const attached = await sandbox.stripe.paymentMethods.attach(card, { customer: customer.id })
    await sandbox.stripe.subscriptions.update(subscription.id, { default_payment_method: attached.id })
    return attached.id
  }
  return { ...sandbox, customer, subscription, invoices, status, use }
}

test('a week later the invoice is a draft for an hour, then paid', async () => {
  const { invoices, advance, events } = await aProject()
  await advance(week)
  expect((await invoices())[0]).toMatchObject({ object: 'invoice', status: 'draft', number: null, billing_reason: 'subscription_cycle' })
  await advance(hour)
  expect((await invoices())[0]).toMatchObject({ object: 'invoice', status: 'paid', total: 1000 })
  const told = events().filter(({ data }) => (data.object as { billing_reason?: string }).billing_reason === 'subscription_cycle')
  expect(told.map(({ type }) => type)).toEqual(expect.arrayContaining(['invoice.created', 'invoice.finalized', 'invoice.paid']))
})

test('ten weeks in one step are ten renewals, each in its own week', async () => {
  const { invoices, advance, subscription, status } = await aProject()
  await advance(10 * week + hour)
  const paid = (await invoices()).filter((invoice) => invoice.status === 'paid')
  expect(paid).toHaveLength(11)
  expect(paid.map(({ created }) => created).toReversed()).toEqual(paid.map((_, index) => subscription.created + index * week))
  expect(await status()).toBe('active')
})

test('a failing renewal is tried again on days 3, 5 and 7, and then the subscription ends', async () => {
  const { invoices, advance, status, use, subscription } = await aProject()
  await use('pm_card_chargeCustomerFail')
  await advance(week + hour)
  expect(await status()).toBe('past_due')
  const renewedAt = subscription.created + week
  for (const [days, next] of [
    [0, 3],
    [3, 5],
    [5, 7],
  ] as const) {
    expect((await invoices())[0]).toMatchObject({ status: 'open', next_payment_attempt: renewedAt + next * day })
    await advance((next - days) * day)
  }
  expect(await status()).toBe('canceled')
  expect(await invoices()).toHaveLength(2)
  expect((await invoices())[0]).toMatchObject({ status: 'open', attempt_count: 4, next_payment_attempt: null, auto_advance: false })
})

test('another card pays what is past due', async () => {
  const { stripe, invoices, advance, status, use } = await aProject()
  await use('pm_card_chargeCustomerFail')
  await advance(week + hour)
  const good = await use('pm_card_visa')
  const paid = await stripe.invoices.pay((await invoices())[0]?.id ?? '', { payment_method: good })
  expect(paid).toMatchObject({ object: 'invoice', status: 'paid' })
  expect(await status()).toBe('active')
  await expect(stripe.invoices.pay(paid.id ?? '')).rejects.toMatchObject({ statusCode: 400, message: 'Invoice is already paid' })
})

test('a retry with the new default card pays by itself', async () => {
  const { advance, status, use } = await aProject()
  await use('pm_card_chargeCustomerFail')
  await advance(week + hour)
  await use('pm_card_visa')
  await advance(3 * day)
  expect(await status()).toBe('active')
})

test('a first payment that never comes expires after 23 hours', async () => {
  const { stripe, aCustomer, subscribes, advance, events } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_authenticationRequired')
  const { id, latest_invoice } = await subscribes(customer.id, card?.id)
  await advance(23 * hour - 60)
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete')
  await advance(60)
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete_expired')
  expect(await stripe.invoices.retrieve((latest_invoice as { id: string }).id)).toMatchObject({ object: 'invoice', status: 'void' })
  expect(events().at(-1)?.type).toMatch(/invoice.voided|customer.subscription.updated/)
})

test('an expired card is refused at the renewal', async () => {
  const { stripe, aCustomer, subscribes, asBrowser, advance } = await aSandbox()
  const { customer } = await aCustomer()
  const inTwoMonths = new Date(Date.now() + 60 * day * 1000)
  const card = {
    'card[number]': '4242424242424242',
    'card[exp_month]': String(inTwoMonths.getUTCMonth() + 1),
    'card[exp_year]': String(inTwoMonths.getUTCFullYear()),
  }
  const { body } = await asBrowser('/payment_methods', { type: 'card', 'card[cvc]': '123', ...card })
  await stripe.paymentMethods.attach(String(body.id), { customer: customer.id })
  const { id } = await subscribes(customer.id, String(body.id))
  await advance(15 * week)
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    object: 'subscription',
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
  })
})

test.each([0, -5, 1.5, 400 * day + 1, 'soon', undefined])('the clock refuses to advance by %s', async (advanceSeconds) => {
  const { open, submit } = await aSandbox()
  const json = await open('/sandbox/clock', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds }),
  })
  expect(json.status).toBe(400)
  expect(await json.json()).toMatchObject({ error: { param: 'advanceSeconds' } })
  const page = await submit('/sandbox/clock', { advanceSeconds: String(advanceSeconds) })
  expect(page.status).toBe(400)
  expect(await page.text()).toContain('400 days')
})

test('the clock page moves the clock and shows what comes next', async () => {
  const { open, submit, subscription } = await aProject()
  const moved = await submit('/sandbox/clock', { advanceSeconds: '86400' })
  expect([moved.status, moved.headers.get('location')]).toEqual([303, '/sandbox/clock'])
  const page = await (await open('/sandbox/clock')).text()
  expect(page).toContain('Subscription renews')
  expect(page).toContain(subscription.id)
})
