// @module-tag slow
import type { PlanPrice } from '#contract/prices.ts'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox } from '@local/sandbox/testing'
import { pricedPlans } from '../../server/billing/plans.ts'
import { events } from '../../server/providers/payments/stripe/events.ts'
import { mark, setUp, type PlanForSale } from './set-up.ts'

const publicUrl = 'https://projects.example.com'
const url = `${publicUrl}/webhooks/stripe`
const team = {
  id: 'team',
  name: 'Team',
  prices: [costing(2000)],
  legacy: false,
}

/** What config/plans.ts says of a weekly price, in cents. */
function costing(usd: number, priceIds = ['team_weekly']): PlanPrice {
  return { frequency: 'week', every: 1, amounts: { usd }, priceIds }
}

test('the Stripe set-up creates a product and a weekly price for each plan that is for sale, and the webhook endpoint', async () => {
  const { stripe, prices, endpoints, run } = await anAccount()
  const { said, secret } = await run(pricedPlans)
  const weekly = { currency: 'usd', interval: 'week' }
  const [dear, cheap] = ['price_enterprise_weekly', 'price_pro_weekly']
  expect(await prices()).toEqual([
    { lookup_key: dear, unit_amount: 3000, ...weekly, plan: 'enterprise' },
    { lookup_key: cheap, unit_amount: 1000, ...weekly, plan: 'pro' },
  ])
  expect(await endpoints()).toMatchObject([
    { url, api_version: Stripe.API_VERSION, enabled_events: events, status: 'enabled' },
  ])
  expect(secret).toMatch(/^whsec_/)
  expect(said).toContain('Pergola Gold: not sold any more, so nothing is made')
  const products = (await stripe.products.list()).data.map(({ name }) => name)
  expect(products.toSorted()).toEqual(['Pergola Enterprise', 'Pergola Pro'])
})

test('a second run of the Stripe set-up creates nothing, and cannot show the webhook secret again', async () => {
  const { account, run } = await anAccount()
  await run([team])
  const before = await account()
  const { said, secret } = await run([team])
  expect(await account()).toEqual(before)
  expect(said.map((line) => line.replaceAll(/\w+_\w{10,}/g, '…'))).toEqual([
    'Team: found product …',
    'Team: found price …, 20.00 USD a week',
    'Webhooks: found endpoint … for https://projects.example.com/webhooks/stripe',
    expect.stringMatching(/its secret .*dashboard.*roll/),
  ])
  expect(secret).toBeUndefined()
})

test('the Stripe set-up creates a price for each interval, with all its currencies, and finds it again', async () => {
  const { stripe, run } = await anAccount()
  const monthly = { usd: 40_00, eur: 36_00, jpy: 6_000 }
  const sold = {
    ...team,
    prices: [
      { frequency: 'month', every: 3, amounts: monthly, priceIds: ['team_quarter'] },
      { frequency: 'year', every: 1, amounts: { usd: 400_00 }, priceIds: ['team_year'] },
    ] satisfies PlanPrice[],
  }
  const { said } = await run([sold], publicUrl, true)
  expect(said.join('\n')).toContain('40.00 USD or 36.00 EUR or 6000 JPY every 3 months, with')
  const expand = ['data.currency_options']
  const { data } = await stripe.prices.list({ lookup_keys: ['team_quarter'], expand })
  expect(data[0]).toMatchObject({
    recurring: { interval: 'month', interval_count: 3 },
    currency_options: {
      eur: { unit_amount: 36_00, tax_behavior: 'exclusive' },
      jpy: { unit_amount: 6_000, tax_behavior: 'exclusive' },
    },
  })
  const again = (await run([sold], publicUrl, true)).said.filter((line) => /made|set/.test(line))
  expect(again).toEqual([])
  const [quarter, year] = sold.prices
  const dearer = { ...quarter!, amounts: { ...monthly, eur: 37_00 } }
  const changed = await run([{ ...sold, prices: [dearer, year!] }])
  expect(changed.said.join('\n')).toMatch(/made price .*\n.*begin with 'team_quarter'/)
})

test('when a plan’s amount changed, the Stripe set-up moves its lookup key to a new price and names the old price, which must be kept', async () => {
  const { teamPrice, prices, run } = await anAccount()
  await run([team])
  const { id: former } = await teamPrice()
  const { said } = await run([{ ...team, prices: [costing(2500)] }])
  expect(said.join('\n')).toMatch(
    new RegExp(`add '${former}' to the end of the priceIds that begin with 'team_weekly'`),
  )
  expect(await prices()).toMatchObject([
    { lookup_key: 'team_weekly', unit_amount: 2500, plan: 'team' },
    { lookup_key: null, unit_amount: 2000, plan: 'team' },
  ])
  const later = await run([{ ...team, prices: [costing(2500, ['team_weekly', former])] }])
  expect(later.said.join()).toContain('found price')
})

test('the Stripe set-up finds a price that the configuration names by its id', async () => {
  const { teamPrice, run } = await anAccount()
  await run([team])
  const { id } = await teamPrice()
  const { said } = await run([{ ...team, prices: [costing(2000, [id])] }])
  expect(said).toContain(`Team: found price ${id}, 20.00 USD a week`)
})

test('the Stripe set-up archives the product of a legacy plan, and activates it when the plan is for sale again', async () => {
  const { stripe, prices, run } = await anAccount()
  await run([team])
  const before = await prices()
  const isSold = async () => (await stripe.products.list()).data.map(({ active }) => active)
  for (const _ of ['once', 'again']) await run([{ ...team, legacy: true, prices: [costing(1)] }])
  expect(await isSold()).toEqual([false])
  expect(await prices()).toEqual(before)
  await run([team])
  expect(await isSold()).toEqual([true])
  expect(await prices()).toEqual(before)
})

test('the Stripe set-up corrects the event types of an existing webhook endpoint, and reports if the endpoint has another API version', async () => {
  const { stripe, endpoints, run } = await anAccount()
  const all: ['*'] = ['*']
  const elsewhere = { url: 'https://other.example.com/', enabled_events: all }
  const other = await stripe.webhookEndpoints.create(elsewhere)
  const api_version = '2024-06-20' as const
  const { id } = await stripe.webhookEndpoints.create({ url, enabled_events: all, api_version })
  await stripe.webhookEndpoints.update(id, { disabled: true })
  const { said } = await run([])
  expect(said).toContain(`Webhooks: updated endpoint ${id} for ${url}`)
  expect(said.at(-1)).toMatch(/2024-06-20 instead of .*Delete the endpoint/)
  const found = Map.groupBy(await endpoints(), (endpoint) => endpoint.id)
  expect(found.get(id)).toMatchObject([{ enabled_events: events, status: 'enabled' }])
  expect(found.get(other.id)).toMatchObject([{ enabled_events: ['*'] }])
})

test('with tax turned on, the Stripe set-up gives products a tax code and makes prices exclude tax, unless they are set already', async () => {
  const { stripe, teamPrice, account, run } = await anAccount()
  const told = async () => {
    const { tax_behavior, product } = await teamPrice()
    return [tax_behavior, product.tax_code]
  }
  await run([team])
  expect(await told()).toEqual(['unspecified', null])
  const { said } = await run([team], publicUrl, true)
  expect(await told()).toEqual(['exclusive', 'txcd_10103001'])
  expect(said).toContainEqual(expect.stringMatching(/^Tax: .*head office.*registered/))
  const before = await account()
  await run([team], publicUrl, true)
  expect(await account()).toEqual(before)
  const product = (await teamPrice()).product.id
  await stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: 2000,
    recurring: { interval: 'week' },
    lookup_key: 'team_weekly',
    transfer_lookup_key: true,
    tax_behavior: 'inclusive',
  })
  await stripe.products.update(product, { tax_code: 'txcd_10103000' })
  await run([team], publicUrl, true)
  expect(await told()).toEqual(['inclusive', 'txcd_10103000'])
})

test.each([
  'http://localhost:3000',
  'https://localhost',
  'http://projects.example.com',
  'https://127.0.0.1:8443',
])(
  'with PUBLIC_URL=%s the Stripe set-up creates prices but no webhook endpoint, and prints the command that forwards webhooks',
  async (url) => {
    const { prices, endpoints, run } = await anAccount()
    const { said, secret } = await run([team], url)
    expect(said.at(-1)).toContain(
      `stripe listen --forward-to ${url}/webhooks/stripe --events customer.subscription.created,`,
    )
    expect([secret, await endpoints()]).toEqual([undefined, []])
    expect(await prices()).toHaveLength(1)
  },
)

/** A sandbox without objects. Sandboxes of tests otherwise begin with the product's prices. */
async function anAccount() {
  const { stripe, pool } = await aSandbox({ prices: [] })
  await pool.query('delete from sandbox.objects')

  async function prices() {
    const { data } = await stripe.prices.list({ expand: ['data.product'] })
    return data.map(({ lookup_key, unit_amount, currency, recurring, product }) => ({
      lookup_key,
      unit_amount,
      currency,
      interval: recurring?.interval,
      plan: (product as Stripe.Product).metadata[mark],
    }))
  }

  async function teamPrice() {
    const params = { lookup_keys: ['team_weekly'], expand: ['data.product'] }
    const [price] = (await stripe.prices.list(params)).data
    return price as Stripe.Price & { product: Stripe.Product }
  }

  const endpoints = async () => (await stripe.webhookEndpoints.list()).data

  return {
    stripe,
    prices,
    teamPrice,
    endpoints,
    account: async () => [await prices(), (await stripe.products.list()).data, await endpoints()],
    run: async (plans: PlanForSale[], url = publicUrl, tax = false) => {
      const said: string[] = []
      const say = (line: string) => void said.push(line)
      const secret = await setUp(stripe, { plans, publicUrl: url, tax, say })
      return { said, secret }
    },
  }
}
