// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, aSubscription, day, hour, invoiceOf, week } from './a-sandbox.ts'

test('the invoice of the second week is a draft for one hour and is then paid', async () => {
  const { invoices, advance, events } = await aSubscription()
  await advance(week)
  expect((await invoices())[0]).toMatchObject({
    status: 'draft',
    number: null,
    billing_reason: 'subscription_cycle',
  })
  await advance(hour)
  expect((await invoices())[0]).toMatchObject({ status: 'paid', total: 1000 })
  const sent = events().filter(
    ({ data }) =>
      (data.object as { billing_reason?: string }).billing_reason === 'subscription_cycle',
  )
  expect(sent.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['invoice.created', 'invoice.finalized', 'invoice.paid']),
  )
})

test('moving the clock by a week and two hours renews a subscription and charges it, with each event at its own time', async () => {
  const { advance, events, invoices, subscription } = await aSubscription()
  await advance(7 * day + 2 * hour)
  expect((await invoices())[0]).toMatchObject({
    status: 'paid',
    webhooks_delivered_at: subscription.created + week,
  })
  const about = (await invoices())[0]?.id
  const sent = events().filter(({ data }) => (data.object as { id?: string }).id === about)
  expect(sent.map(({ type, created }) => [type, created - subscription.created - week])).toEqual([
    ['invoice.created', 0],
    ['invoice.finalized', hour],
    ['invoice.updated', hour],
    ['invoice.paid', hour],
  ])
})

test('a moving clock stops at each webhook until its receiver has answered', async () => {
  const project = await aSubscription({
    deliver: async (body) => {
      const { type, data } = JSON.parse(body) as Stripe.Event
      const { id, billing_reason } = data.object as Stripe.Invoice
      if (type === 'invoice.created' && billing_reason === 'subscription_cycle')
        await project.stripe.invoices.update(id, { auto_advance: false })
      return 200
    },
  })
  await project.advance(week + 3 * hour)
  expect((await project.invoices())[0]).toMatchObject({
    status: 'draft',
    auto_advance: false,
    automatically_finalizes_at: null,
  })
  await project.advance(week)
  expect((await project.invoices()).map(({ status }) => status)).toEqual(['draft', 'draft', 'paid'])
})

test('a draft invoice whose webhook fails becomes final one hour after the last delivery attempt', async () => {
  const { advance, invoices, overview } = await aSubscription({ deliver: async () => 500 })
  const givenUpAfter = 60 + hour + 3 * hour
  await advance(week + givenUpAfter + hour - 60)
  expect((await invoices())[0]).toMatchObject({ status: 'draft' })
  await advance(60)
  expect((await invoices())[0]).toMatchObject({ status: 'paid', webhooks_delivered_at: null })
  const states = (await overview()).events.filter(({ type }) => type === 'invoice.created')
  expect(states.map(({ state, attempts }) => [state, attempts])).toEqual([
    ['given_up', 4],
    ['given_up', 4],
  ])
})

test('a draft invoice waits at most three days for a webhook that is held back, and does not wait for a dropped one', async () => {
  const { advance, control, invoices } = await aSubscription()
  await control({ webhooks: { mode: 'hold' } })
  await advance(week + 3 * day - 60)
  expect((await invoices())[0]).toMatchObject({ status: 'draft' })
  await advance(60)
  expect((await invoices())[0]).toMatchObject({ status: 'paid' })
  await control({ webhooks: { mode: 'drop' } })
  await advance(4 * day + hour)
  expect((await invoices()).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid'])
})

test('two moves of the clock that are requested at once run one after the other', async () => {
  const { advance, invoices, subscription } = await aSubscription()
  const [first, second] = await Promise.all([advance(week + hour), advance(week + hour)])
  expect(second.now - first.now).toBeGreaterThanOrEqual(week + hour)
  expect((await invoices()).map(({ created }) => created - subscription.created)).toEqual([
    2 * week,
    week,
    0,
  ])
})

test('moving the clock by a year renews a weekly subscription fifty-two times and charges each week', async () => {
  const { advance, invoices, status } = await aSubscription()
  await advance(365 * day)
  expect((await invoices()).filter((invoice) => invoice.status === 'paid')).toHaveLength(53)
  expect(await status()).toBe('active')
})

test('the draft invoice of a canceled subscription becomes final and is charged, unless auto_advance is turned off', async () => {
  const { stripe, advance, invoices, subscription } = await aSubscription()
  await advance(week)
  await stripe.subscriptions.cancel(subscription.id)
  expect((await invoices())[0]).toMatchObject({ status: 'draft', auto_advance: true })
  await advance(hour)
  expect((await invoices())[0]).toMatchObject({ status: 'paid', amount_paid: 1000 })
  const other = await aSubscription()
  await other.advance(week)
  await other.stripe.subscriptions.cancel(other.subscription.id)
  await other.stripe.invoices.update((await other.invoices())[0]?.id ?? '', { auto_advance: false })
  await other.advance(week)
  expect((await other.invoices())[0]).toMatchObject({ status: 'draft', amount_paid: 0 })
})

test('a request can finalize a draft invoice, with or without charging it', async () => {
  const { stripe, advance, invoices } = await aSubscription()
  const finalize = async (days: number, auto_advance: boolean) => {
    await advance(days * day)
    return stripe.invoices.finalizeInvoice((await invoices())[0]?.id ?? '', { auto_advance })
  }
  const open = await finalize(7, false)
  expect(open).toMatchObject({ status: 'open', attempted: false, auto_advance: false })
  await advance(day)
  expect(await stripe.invoices.retrieve(open.id)).toMatchObject({
    status: 'open',
    attempted: false,
  })
  expect(await finalize(6, true)).toMatchObject({ status: 'paid' })
  await expect(stripe.invoices.finalizeInvoice(open.id)).rejects.toMatchObject({ statusCode: 400 })
})

test('moving the clock by ten weeks in one step renews a subscription ten times, each time at the start of the week', async () => {
  const { invoices, advance, subscription, status } = await aSubscription()
  await advance(10 * week + hour)
  const paid = (await invoices()).filter((invoice) => invoice.status === 'paid')
  expect(paid).toHaveLength(11)
  expect(paid.map(({ created }) => created).toReversed()).toEqual(
    paid.map((_, index) => subscription.created + index * week),
  )
  expect(await status()).toBe('active')
})

test('a renewal whose charge fails is retried eight times within two weeks, and then the subscription ends', async () => {
  const { stripe, invoices, advance, status, use, subscription } = await aSubscription()
  await use('pm_card_chargeCustomerFail')
  await advance(week + hour)
  const id = (await invoices())[0]?.id ?? ''
  for (let tries = 1; tries <= 8; tries++) {
    const next_payment_attempt = subscription.created + week + tries * 1.75 * day
    expect(await stripe.invoices.retrieve(id)).toMatchObject({
      status: 'open',
      attempt_count: tries,
      next_payment_attempt,
    })
    expect(await status()).toBe('past_due')
    await advance(1.75 * day)
  }
  expect(await status()).toBe('canceled')
  const stopped = { status: 'open', next_payment_attempt: null, auto_advance: false }
  expect(await invoices()).toMatchObject([
    { ...stopped, attempt_count: 4 },
    { ...stopped, attempt_count: 9 },
    { status: 'paid' },
  ])
})

test('the status of a subscription depends on its newest invoice, even while an older one is still retried', async () => {
  const { stripe, invoices, advance, status, use } = await aSubscription()
  await use('pm_card_chargeCustomerFail')
  await advance(2 * week + 2 * hour)
  const good = await use('pm_card_visa')
  expect((await invoices()).map((invoice) => invoice.status)).toEqual(['open', 'open', 'paid'])
  expect(await status()).toBe('past_due')
  const [newest, older] = await invoices()
  await stripe.invoices.pay(newest?.id ?? '', { payment_method: good })
  expect(await status()).toBe('active')
  await use('pm_card_chargeCustomerFail')
  await advance(1.75 * day)
  expect(await stripe.invoices.retrieve(older?.id ?? '')).toMatchObject({
    status: 'open',
    attempt_count: 6,
  })
  expect(await status()).toBe('active')
  await use('pm_card_visa')
  await advance(1.75 * day)
  expect(await stripe.invoices.retrieve(older?.id ?? '')).toMatchObject({
    status: 'paid',
    attempt_count: 7,
  })
})

test('an unpaid renewal can be paid with another card', async () => {
  const { stripe, invoices, advance, status, use } = await aSubscription()
  await use('pm_card_chargeCustomerFail')
  await advance(week + hour)
  const good = await use('pm_card_visa')
  const paid = await stripe.invoices.pay((await invoices())[0]?.id ?? '', { payment_method: good })
  expect(paid).toMatchObject({ status: 'paid' })
  expect(await status()).toBe('active')
  await expect(stripe.invoices.pay(paid.id ?? '')).rejects.toMatchObject({
    statusCode: 400,
    message: 'Invoice is already paid',
  })
})

test('an automatic retry of a failed renewal charges the new default card', async () => {
  const { advance, status, use } = await aSubscription()
  await use('pm_card_chargeCustomerFail')
  await advance(week + hour)
  await use('pm_card_visa')
  await advance(3 * day)
  expect(await status()).toBe('active')
})

test('a subscription whose first payment is not made within 23 hours expires', async () => {
  const { stripe, status, advance, events, subscription } = await aSubscription({
    card: 'pm_card_authenticationRequired',
  })
  await advance(23 * hour - 60)
  expect(await status()).toBe('incomplete')
  await advance(60)
  expect(await status()).toBe('incomplete_expired')
  expect(await stripe.invoices.retrieve(invoiceOf(subscription).id)).toMatchObject({
    status: 'void',
  })
  expect(events().at(-1)?.type).toMatch(/invoice.voided|customer.subscription.updated/)
})

test('a renewal with a card that has expired is declined', async () => {
  const { stripe, aCustomer, subscribes, asBrowser, advance } = await aSandbox()
  const { customer } = await aCustomer()
  const inTwoMonths = new Date(Date.now() + 60 * day * 1000)
  const card = {
    'card[number]': '4242424242424242',
    'card[exp_month]': String(inTwoMonths.getUTCMonth() + 1),
    'card[exp_year]': String(inTwoMonths.getUTCFullYear()),
  }
  const { body } = await asBrowser('/payment_methods', {
    type: 'card',
    'card[cvc]': '123',
    ...card,
  })
  await stripe.paymentMethods.attach(String(body.id), { customer: customer.id })
  const { id } = await subscribes(customer.id, String(body.id))
  await advance(15 * week)
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
  })
})

test.each([0, -5, 1.5, 400 * day + 1, 'soon', undefined])(
  'a request to advance the clock by %s seconds is refused',
  async (advanceSeconds) => {
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
  },
)

test('the clock page can move the clock, and shows what happens next', async () => {
  const { open, submit, subscription } = await aSubscription()
  const moved = await submit('/sandbox/clock', { advanceSeconds: '86400' })
  expect([moved.status, moved.headers.get('location')]).toEqual([303, '/sandbox/clock'])
  const page = await (await open('/sandbox/clock')).text()
  expect(page).toContain('Subscription renews')
  expect(page).toContain(subscription.id)
})

test('a program can move the clock back and forward again, and nothing that has happened is undone', async () => {
  const { stripe, subscription, invoices, open } = await aSubscription()
  const move = async (by: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await open('/sandbox/clock', {
      method: 'POST',
      headers,
      body: JSON.stringify(by),
    })
    return ((await answer.json()) as { now: number }).now
  }
  const before = await move({ advanceSeconds: 1 })
  const back = await move({ rewindSeconds: 12 * week })
  expect(before - back).toBeGreaterThanOrEqual(12 * week - 5)
  expect(await invoices()).toHaveLength(1)
  await move({ advanceSeconds: 12 * week })
  expect(await invoices()).toHaveLength(1)
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  const refused = await open('/sandbox/clock', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rewindSeconds: 0 }),
  })
  expect(refused.status).toBe(400)
})
