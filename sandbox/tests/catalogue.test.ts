// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox } from './a-sandbox.ts'

test('prices are found by their lookup keys, which equal the ids for prices that the sandbox created at its start', async () => {
  const { stripe, raw } = await aSandbox()
  const found = await stripe.prices.list({
    lookup_keys: ['price_pro', 'price_enterprise', 'price_none'],
  })
  expect(found.data.map(({ id, lookup_key }) => [id, lookup_key])).toEqual([
    ['price_enterprise', 'price_enterprise'],
    ['price_pro', 'price_pro'],
  ])
  expect((await stripe.prices.list({ lookup_keys: ['price_pro'], active: false })).data).toEqual([])
  const eleven = Array.from({ length: 11 }, (_, index) => `lookup_keys[]=${index}`).join('&')
  expect(await raw('GET', `/prices?${eleven}`)).toMatchObject({
    status: 400,
    body: { error: { param: 'lookup_keys' } },
  })
})

test('prices that an older version of the sandbox created get their lookup keys at the next start, unless another price has the key', async () => {
  const { pool } = await aSandbox()
  await pool.query(
    `update sandbox.objects set body = body || '{"lookup_key": null}' where type = 'price'`,
  )
  await pool.query(
    `update sandbox.objects set body = body || '{"lookup_key": "price_pro"}' where id = 'price_enterprise'`,
  )
  const { stripe } = await aSandbox({ pool })
  expect(await stripe.prices.retrieve('price_pro')).toMatchObject({ lookup_key: null })
  await stripe.prices.create({
    product: 'prod_pro',
    currency: 'usd',
    unit_amount: 1,
    recurring: { interval: 'week' },
    lookup_key: 'price_pro',
    transfer_lookup_key: true,
  })
  const after = await aSandbox({ pool })
  expect(await after.stripe.prices.retrieve('price_enterprise')).toMatchObject({
    lookup_key: 'price_enterprise',
  })
})

test('a new price can take over the lookup key of an old one and be subscribed to', async () => {
  const { stripe, aCustomer, subscribes } = await aSandbox()
  const product = await stripe.products.create({
    id: 'prod_team',
    name: 'Team',
    metadata: { plan: 'team' },
  })
  expect(product).toMatchObject({ id: 'prod_team', name: 'Team', metadata: { plan: 'team' } })
  await expect(stripe.products.create({ id: 'prod_team', name: 'Team' })).rejects.toMatchObject({
    code: 'resource_already_exists',
  })
  const given = {
    product: product.id,
    currency: 'usd',
    recurring: { interval: 'week' },
    lookup_key: 'team',
  } as const
  const first = await stripe.prices.create({
    ...given,
    unit_amount: 2000,
    nickname: 'Team',
    metadata: { a: 'b' },
  })
  expect(first).toMatchObject({
    unit_amount: 2000,
    lookup_key: 'team',
    nickname: 'Team',
    recurring: { interval: 'week' },
  })
  await expect(stripe.prices.create({ ...given, unit_amount: 2500 })).rejects.toMatchObject({
    statusCode: 400,
    param: 'lookup_key',
  })
  const second = await stripe.prices.create({
    ...given,
    unit_amount: 2500,
    transfer_lookup_key: true,
  })
  expect((await stripe.prices.list({ lookup_keys: ['team'] })).data.map(({ id }) => id)).toEqual([
    second.id,
  ])
  expect(await stripe.prices.retrieve(first.id)).toMatchObject({ lookup_key: null })
  const { customer, card } = await aCustomer('pm_card_visa')
  const subscription = await subscribes(customer.id, card?.id, second.id)
  expect(subscription.latest_invoice).toMatchObject({ status: 'paid', total: 2500 })
})

test('a product can be changed and listed', async () => {
  const { stripe } = await aSandbox()
  const changed = await stripe.products.update('prod_pro', {
    name: 'Pro 2',
    description: 'Better',
    active: false,
  })
  expect(changed).toMatchObject({ name: 'Pro 2', description: 'Better', active: false })
  const active = (await stripe.products.list({ active: true })).data.map(({ id }) => id)
  expect(active).toContain('prod_enterprise')
  expect(active).not.toContain('prod_pro')
})

test.each([
  [{ recurring: { interval: 'year', interval_count: 4 } }, 'recurring[interval_count]'],
  [{ recurring: { interval: 'month', interval_count: 37 } }, 'recurring[interval_count]'],
  [{ recurring: { interval: 'week', interval_count: 0 } }, 'recurring[interval_count]'],
  [{ currency: 'kwd', unit_amount: 1005 }, 'unit_amount'],
  [{ currency_options: { isk: { unit_amount: 150 } } }, 'currency_options[isk][unit_amount]'],
  [{ product: 'prod_none' }, 'product'],
  [{ unit_amount: -1 }, 'unit_amount'],
] as const)('a price with %o is refused', async (wrong, param) => {
  const { stripe } = await aSandbox()
  const given = {
    product: 'prod_pro',
    currency: 'usd',
    unit_amount: 1,
    recurring: { interval: 'week' },
    ...wrong,
  } as const
  await expect(stripe.prices.create(given)).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    param,
  })
})

test('webhook endpoints are stored, and their secret is shown only in the answer to their creation', async () => {
  const { stripe } = await aSandbox()
  const { secret, ...made } = await stripe.webhookEndpoints.create({
    url: 'https://example.com/hook',
    enabled_events: ['invoice.paid', 'customer.subscription.updated'],
    api_version: '2026-10-28.endive',
    description: 'Ours',
  })
  expect(secret).toMatch(/^whsec_\w{32}$/)
  expect(made).toMatchObject({
    status: 'enabled',
    api_version: '2026-10-28.endive',
    description: 'Ours',
  })
  expect(await stripe.webhookEndpoints.retrieve(made.id)).not.toHaveProperty('secret')
  const changed = await stripe.webhookEndpoints.update(made.id, {
    url: 'https://example.com/new',
    enabled_events: ['*'],
    disabled: true,
  })
  expect(changed).toMatchObject({
    url: 'https://example.com/new',
    enabled_events: ['*'],
    status: 'disabled',
  })
  expect((await stripe.webhookEndpoints.list()).data.map(({ id }) => id)).toEqual([made.id])
  expect(await stripe.webhookEndpoints.del(made.id)).toMatchObject({ id: made.id, deleted: true })
  expect((await stripe.webhookEndpoints.list()).data).toEqual([])
  await expect(
    stripe.webhookEndpoints.create({ url: 'nowhere', enabled_events: ['*'] }),
  ).rejects.toMatchObject({ param: 'url' })
})

test('each sandbox has its own account id, which stays the same after a restart', async () => {
  const accountOf = async ({ stripe }: { stripe: Stripe }) => stripe.accounts.retrieveCurrent()
  const one = await aSandbox()
  const account = await accountOf(one)
  expect(account).toMatchObject({
    id: expect.stringMatching(/^acct_sandbox\w{12}$/),
    charges_enabled: true,
  })
  expect(await accountOf(await aSandbox({ pool: one.pool }))).toEqual(account)
  expect((await accountOf(await aSandbox())).id).not.toBe(account.id)
})
