// @module-tag slow
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, aSubscription, hour, intentOf, invoiceOf, week } from './a-sandbox.ts'

const later = 600_000

test('the control settings begin as normal, and posting a group resets the settings in it that are not given', async () => {
  const { control } = await aSandbox()
  const normal = {
    charges: { fail: 0, code: 'generic_decline', customer: null },
    webhooks: { mode: 'deliver', copies: 1 },
    api: { delay: 0, fault: null, at: 'before', skip: 0, times: null },
  }
  expect(await control({})).toEqual({ status: 200, body: normal })
  const changed = await control({
    api: { delay: 5, fault: 429, at: 'after', skip: 0, times: 2 },
    webhooks: { copies: 2 },
  })
  expect(changed.body).toEqual({
    ...normal,
    webhooks: { mode: 'deliver', copies: 2 },
    api: { delay: 5, fault: 429, at: 'after', skip: 0, times: 2 },
  })
  expect((await control({ api: { fault: 'break' } })).body).toMatchObject({
    api: { delay: 0, fault: 'break', at: 'before', times: null },
  })
  expect((await control({ reset: true })).body).toEqual(normal)
})

test.each([
  [{ charge: {} }, 'charge'],
  [{ charges: { fail: '2' } }, 'charges[fail]'],
  [{ charges: { fail: 1, code: 'bored' } }, 'charges[code]'],
  [{ charges: { fail: 1, customer: 'cus_none' } }, 'charges[customer]'],
  [{ webhooks: { mode: 'deliver', twice: true } }, 'webhooks[twice]'],
  [{ api: { fault: 404 } }, 'api[fault]'],
  [{ api: { delay: -1 } }, 'api[delay]'],
  [{ redeliver: 'evt_none' }, 'redeliver'],
  [{ release: { order: 'random' } }, 'release[order]'],
])('the control settings refuse %o and stay unchanged', async (wish, param) => {
  const { control } = await aSandbox()
  const before = (await control({})).body
  const refused = await control({ charges: { fail: 9 }, ...wish })
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(refused.body).toMatchObject({ error: { type: 'invalid_request_error', param } })
  expect((await control({})).body).toEqual(before)
})

test('the control settings can decline the next two charges, and later charges succeed', async () => {
  const { control, aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  await control({ charges: { fail: 2, code: 'insufficient_funds' } })
  const refused = subscribes(customer.id, card?.id, 'price_pro', {
    payment_behavior: 'error_if_incomplete',
  })
  await expect(refused).rejects.toMatchObject({
    statusCode: 402,
    code: 'card_declined',
    decline_code: 'insufficient_funds',
  })
  expect((await control({})).body).toMatchObject({ charges: { fail: 1 } })
  const unpaid = await subscribes(customer.id, card?.id)
  expect(intentOf(unpaid)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { decline_code: 'insufficient_funds' },
  })
  expect((await control({})).body).toMatchObject({ charges: { fail: 0 } })
  expect(await subscribes(customer.id, card?.id)).toMatchObject({ status: 'active' })
})

test('the control settings can decline only the charges of one customer, including renewals and charges after 3-D Secure', async () => {
  const { control, stripe, aCustomer, subscribes, submit, advance } = await aSandbox()
  const [ann, bob] = [
    await aCustomer('pm_card_visa'),
    await aCustomer('pm_card_authenticationRequired'),
  ]
  const annual = await subscribes(ann.customer.id, ann.card?.id)
  await control({ charges: { fail: 1, code: 'expired_card', customer: bob.customer.id } })
  await advance(week + hour)
  expect(await stripe.subscriptions.retrieve(annual.id)).toMatchObject({ status: 'active' })
  const intent = intentOf(await subscribes(bob.customer.id, bob.card?.id))
  const secret = { client_secret: intent.client_secret ?? '' }
  await submit(intent.next_action?.redirect_to_url?.url ?? '', { ...secret, outcome: 'complete' })
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    last_payment_error: { code: 'expired_card' },
  })
  await control({ charges: { fail: 1, code: 'processing_error', customer: ann.customer.id } })
  await advance(week + hour)
  expect(await stripe.subscriptions.retrieve(annual.id)).toMatchObject({ status: 'past_due' })
})

test('the control settings decline exactly the requested number of concurrent charges', async () => {
  const { control, aCustomer, subscribes } = await aSandbox()
  const people = await Promise.all(Array.from({ length: 5 }, () => aCustomer('pm_card_visa')))
  await control({ charges: { fail: 2 } })
  const made = await Promise.all(
    people.map(({ customer, card }) => subscribes(customer.id, card?.id)),
  )
  expect(made.filter(({ status }) => status === 'incomplete')).toHaveLength(2)
})

test('the control settings stay the same after a restart', async () => {
  const before = await aSandbox()
  await before.control({
    charges: { fail: 2 },
    webhooks: { mode: 'hold' },
    api: { fault: 500, times: 3 },
  })
  await expect(before.stripe.customers.list()).rejects.toMatchObject({ statusCode: 500 })
  await before.sandbox.close()
  const after = await aSandbox({ pool: before.pool })
  expect((await after.control({})).body).toMatchObject({
    charges: { fail: 2 },
    webhooks: { mode: 'hold' },
    api: { fault: 500, times: 2 },
  })
})

test('held webhooks are not delivered, even when the clock moves, until they are released in the requested order', async () => {
  const { control, stripe, aCustomer, advance, events } = await aSandbox()
  const { customer } = await aCustomer()
  await control({ webhooks: { mode: 'hold' } })
  const hold = async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await stripe.customers.update(customer.id, { name })
    await advance(hour)
    const names = () => events().map(({ data }) => (data.object as Stripe.Customer).name)
    const before = names().length
    return () => names().slice(before, before + 5)
  }
  const first = await hold()
  expect(first()).toEqual([])
  await control({ release: {} })
  expect(first()).toEqual(['a', 'b', 'c', 'd', 'e'])
  const second = await hold()
  await control({ release: { order: 'reversed' } })
  expect(second()).toEqual(['e', 'd', 'c', 'b', 'a'])
  const third = await hold()
  await control({ release: { order: 'shuffled', seed: 3 } })
  const fourth = await hold()
  await control({ release: { order: 'shuffled', seed: 3 } })
  expect(new Set(third())).toEqual(new Set(['a', 'b', 'c', 'd', 'e']))
  expect(third()).not.toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(fourth()).toEqual(third())
  const last = await hold()
  await control({ webhooks: { mode: 'deliver' } })
  expect(new Set(last())).toEqual(new Set(['a', 'b', 'c', 'd', 'e']))
})

test('dropped webhooks are never delivered, unless a request redelivers one', async () => {
  const { control, overview, stripe, aCustomer, advance, events } = await aSandbox()
  const { customer } = await aCustomer('pm_card_visa')
  await control({ webhooks: { mode: 'drop' } })
  expect(events()).toHaveLength(2)
  await stripe.customers.update(customer.id, { name: 'Lost' })
  await control({ webhooks: { mode: 'deliver' } })
  await advance(week)
  expect(events()).toHaveLength(2)
  const [lost] = (await overview()).events
  expect(lost).toMatchObject({
    type: 'customer.updated',
    object: customer.id,
    state: 'dropped',
    attempts: 0,
  })
  await control({ redeliver: lost?.id })
  expect(events().map(({ id }) => id)).toContain(lost?.id)
  expect((await overview()).events[0]).toMatchObject({
    id: lost?.id,
    state: 'delivered',
    attempts: 1,
  })
})

test('dropping webhooks drops those that are held, too', async () => {
  const { control, overview, aCustomer, advance, events } = await aSandbox()
  await control({ webhooks: { mode: 'hold' } })
  await aCustomer('pm_card_visa')
  expect((await overview()).events.map(({ state }) => state)).toEqual(['held', 'held'])
  await control({ webhooks: { mode: 'drop' } })
  await control({ reset: true })
  await advance(week)
  expect(events()).toEqual([])
})

test('the control settings can deliver every webhook several times, and a request can redeliver one', async () => {
  const { control, overview, aCustomer, advance, events } = await aSandbox()
  await control({ webhooks: { copies: 3 } })
  await aCustomer('pm_card_visa')
  await advance(1)
  expect(events()).toHaveLength(6)
  expect(new Set(events().map(({ id }) => id)).size).toBe(2)
  await control({ reset: true })
  await control({ redeliver: (await overview()).events[0]?.id })
  expect(events()).toHaveLength(7)
})

test('the overview shows a webhook that its receiver refuses as retrying', async () => {
  const { overview, aCustomer, advance, control } = await aSandbox({ deliver: async () => 500 })
  await aCustomer('pm_card_visa')
  await advance(1)
  const { events } = await overview()
  expect(events.map(({ state }) => state)).toEqual(['retrying', 'retrying'])
  await control({ redeliver: events[0]?.id })
  expect((await overview()).events[0]).toMatchObject({ state: 'retrying', attempts: 2 })
})

test.each([
  [429, Stripe.errors.StripeRateLimitError],
  [500, Stripe.errors.StripeAPIError],
  ['break', Stripe.errors.StripeConnectionError],
] as const)(
  'the control settings can fail the next two API requests with %s before they change anything',
  async (fault, error) => {
    const { control, stripe } = await aSandbox()
    await control({ api: { fault, times: 2 } })
    await expect(stripe.customers.create({ name: 'Ann' })).rejects.toBeInstanceOf(error)
    await expect(stripe.customers.create({ name: 'Ann' })).rejects.toBeInstanceOf(error)
    expect((await control({})).body).toMatchObject({ api: { fault: null, times: null } })
    expect((await stripe.customers.list()).data).toEqual([])
  },
)

test('the control settings can let a number of API requests succeed before the faults begin', async () => {
  const { control, stripe } = await aSandbox()
  await control({ api: { fault: 500, skip: 2, times: 1 } })
  await stripe.customers.create({ name: 'Ann' })
  expect((await control({})).body).toMatchObject({ api: { fault: 500, skip: 1, times: 1 } })
  await stripe.customers.create({ name: 'Bob' })
  await expect(stripe.customers.create({ name: 'Carla' })).rejects.toBeInstanceOf(
    Stripe.errors.StripeAPIError,
  )
  expect((await stripe.customers.list()).data).toHaveLength(2)
})

test('when an answer is lost after the work was done, repeating the request with its idempotency key gives that answer', async () => {
  const { control, stripe } = await aSandbox()
  const create = () => stripe.customers.create({ name: 'Ann' }, { idempotencyKey: 'once' })
  await control({ api: { fault: 'break', at: 'after', times: 1 } })
  await expect(create()).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError)
  const [made] = (await stripe.customers.list()).data
  expect(made).toMatchObject({ name: 'Ann' })
  expect((await create()).id).toBe(made?.id)
})

test('a fault of the API affects servers until it is turned off, but not browsers, the clock page and the control page', async () => {
  const { control, stripe, asBrowser, advance, overview } = await aSandbox()
  await control({ api: { fault: 500 } })
  for (let count = 0; count < 3; count++)
    await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 500 })
  const card = {
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '12',
    'card[exp_year]': '2044',
  }
  expect((await asBrowser('/payment_methods', card)).body).toMatchObject({
    object: 'payment_method',
  })
  expect((await advance(60)).now).toBeGreaterThan(0)
  expect((await overview()).settings).toMatchObject({ api: { fault: 500, times: null } })
  await control({ reset: true })
  expect((await stripe.customers.list()).data).toEqual([])
})

test('the control settings can delay the answers of the API', async () => {
  const { control, stripe } = await aSandbox()
  await control({ api: { delay: 50 } })
  const asked = performance.now()
  expect(await stripe.customers.create({ name: 'Ann' })).toMatchObject({ name: 'Ann' })
  expect(performance.now() - asked).toBeGreaterThan(45)
})

test.each(['before', 'after'] as const)(
  'a client that aborts a request whose answer is delayed %s the work gets the abort error at once',
  async (at) => {
    const delivered = Promise.withResolvers<void>()
    const { control, sandbox, aCustomer, stripe, overview } = await aSandbox({
      deliver: async (body) => {
        if (body.includes('"name":"Late"')) delivered.resolve()
        return 200
      },
    })
    const { customer } = await aCustomer()
    await control({ api: { delay: later, at } })
    const giving = new AbortController()
    const reason = new Error('enough')
    const slow = sandbox.fetch(`https://api.stripe.com/v1/customers/${customer.id}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox' },
      body: new URLSearchParams({ name: 'Late' }),
      signal: giving.signal,
    })
    if (at === 'after') await delivered.promise
    giving.abort(reason)
    await expect(slow).rejects.toBe(reason)
    await expect(
      sandbox.fetch('https://api.stripe.com/v1/customers', { signal: giving.signal }),
    ).rejects.toBe(reason)
    await control({ reset: true })
    expect((await overview()).events).toHaveLength(at === 'after' ? 1 : 0)
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
      name: at === 'after' ? 'Late' : 'Ann',
    })
  },
)

test('closing the sandbox aborts delayed answers, and does not wait for webhook receivers that wait for such an answer', async () => {
  const asked = Promise.withResolvers<void>()
  const { control, sandbox, stripe, aCustomer } = await aSandbox({
    deliver: async () => {
      asked.resolve()
      await stripe.customers.list()
      return 200
    },
  })
  const { customer } = await aCustomer()
  await control({ api: { delay: later, at: 'after' } })
  const slow = stripe.customers.update(customer.id, { name: 'Late' })
  const refused = expect(slow).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError)
  await asked.promise
  await sandbox.close()
  await refused
})

test('the overview of the sandbox shows customers with their cards, subscriptions and invoices', async () => {
  const { overview, stripe, customer, card, subscription } = await aSubscription()
  await stripe.customers.update(customer.id, { metadata: { subscriptionId: 'project-1' } })
  const { customers, events } = await overview()
  const invoice = invoiceOf(subscription).id
  expect(customers).toEqual([
    {
      id: customer.id,
      metadata: { subscriptionId: 'project-1' },
      email: 'ann@example.com',
      preferred_locales: [],
      balance: 0,
      currency: 'usd',
      cards: [{ id: card, brand: 'visa', last4: '4242', default: true }],
      subscriptions: [
        { id: subscription.id, status: 'active', price: 'price_pro', latest_invoice: invoice },
      ],
      invoices: [
        {
          id: invoice,
          total: 1000,
          status: 'paid',
          amount_paid: 1000,
          subscription: subscription.id,
        },
      ],
    },
  ])
  expect(events.length).toBeGreaterThan(5)
  await stripe.customers.del(customer.id)
  expect((await overview()).customers).toEqual([])
})

test('a price that changes as in the dashboard is charged from the next week', async () => {
  const { control, now, invoices, advance, subscription } = await aSubscription()
  await control({ price: { subscription: subscription.id, price: 'price_enterprise' } })
  expect((await now()).items.data[0]?.price.id).toBe('price_enterprise')
  expect(await invoices()).toHaveLength(1)
  await advance(8 * 24 * 3600)
  expect((await invoices()).map(({ total }) => total)).toEqual([3000, 1000])
})

test('a promotion code that is made as in the dashboard can be redeemed', async () => {
  const { control, stripe } = await aSubscription()
  await control({ promotion: { code: 'WELCOME', percent_off: 25, months: 3 } })
  const [code] = (await stripe.promotionCodes.list({ code: 'welcome', active: true })).data
  const preview = await stripe.invoices.createPreview({
    subscription_details: { items: [{ price: 'price_pro' }] },
    discounts: [{ promotion_code: code!.id }],
  })
  expect(preview).toMatchObject({ subtotal: 1000, total: 750 })
})

test('the control page works without JavaScript', async () => {
  const { open, submit, control, overview, stripe, aCustomer, subscribes } = await aSandbox()
  expect(await (await open('/sandbox')).text()).toContain('href="/sandbox/control"')
  expect(await (await open('/sandbox/control')).text()).toContain('Everything works as normal')
  const { customer, card } = await aCustomer('pm_card_visa')
  await stripe.customers.update(customer.id, { metadata: { subscriptionId: 'project-1' } })
  await subscribes(customer.id, card?.id)
  const charges = await submit('/sandbox/control', {
    'charges[fail]': '2',
    'charges[code]': 'expired_card',
    'charges[customer]': customer.id,
  })
  expect([charges.status, charges.headers.get('location')]).toEqual([
    303,
    '/sandbox/control#charges',
  ])
  await submit('/sandbox/control', {
    'api[fault]': '429',
    'api[times]': '',
    'api[delay]': '0',
    'api[at]': 'after',
  })
  await submit('/sandbox/control', { 'webhooks[mode]': 'hold', 'webhooks[copies]': '1' })
  expect((await control({})).body).toEqual({
    charges: { fail: 2, code: 'expired_card', customer: customer.id },
    webhooks: { mode: 'hold', copies: 1 },
    api: { delay: 0, fault: 429, at: 'after', skip: 0, times: null },
  })
  const page = await (await open('/sandbox/control')).text()
  const words = [
    'project-1',
    'ann@example.com',
    'Visa 4242',
    'price_pro',
    'Delivered',
    'Webhooks are held',
    'for all requests',
    'expired card',
  ]
  for (const each of words) expect(page).toContain(each)
  const again = await submit('/sandbox/control', {
    redeliver: (await overview()).events[0]?.id ?? '',
  })
  expect(again.headers.get('location')).toBe('/sandbox/control#events')
  const wrong = await submit('/sandbox/control', { 'webhooks[copies]': '11' })
  expect([wrong.status, (await wrong.text()).includes('role="alert"')]).toEqual([400, true])
  await submit('/sandbox/control', { reset: 'true' })
  expect(await (await open('/sandbox/control')).text()).toContain('Everything works as normal')
})
