import { digitsOf, type CurrencyCode } from '#contract/currencies.ts'
import { currenciesOf, type PlanPrice } from '#contract/prices.ts'
import Stripe from 'stripe'
import { isLoopback } from '../../server/platform/networks.ts'
import { events } from '../../server/providers/payments/stripe/events.ts'
import { idOf, orUndefined } from '../../server/providers/payments/stripe/answers.ts'

export type PlanForSale = {
  id: string
  /** The plan's name on invoices. */
  name: string
  prices: readonly PlanPrice[]
  /** Whether the plan is no longer sold. Subscriptions that have it keep it. */
  legacy: boolean
}

type Say = (line: string) => void
type Account = {
  plans: readonly PlanForSale[]
  publicUrl: string
  tax?: boolean
  /** Called with a line of text about each thing that was found, created or changed. */
  say: Say
}

/** The key in a product's metadata that holds the id of the plan. */
export const mark = 'atrium_plan'
/** Software as a service for businesses: https://docs.stripe.com/tax/tax-codes */
const taxCode = 'txcd_10103001'

/** Can be repeated. Returns a new endpoint's secret, because Stripe shows it only once. */
export async function setUp(stripe: Stripe, { plans, publicUrl, tax = false, say }: Account) {
  for (const plan of plans) {
    const sayOfPlan = (line: string) => say(`${plan.name}: ${line}`)
    await setUpPlan(stripe, plan, sayOfPlan)
    if (tax && !plan.legacy) await setUpTax(stripe, plan, sayOfPlan)
  }
  if (tax)
    say(
      'Tax: give the dashboard, under Tax, the address of your head office and every place where you are registered. Without registrations no tax is collected',
    )
  return setUpEndpoint(stripe, publicUrl, (line) => say(`Webhooks: ${line}`))
}

/** Creates neither a product nor a price for a legacy plan, because nobody can buy it any more. */
async function setUpPlan(stripe: Stripe, plan: PlanForSale, say: Say) {
  const found = await Promise.all(plan.prices.map((price) => findPrice(stripe, price)))
  const ofPrice = found.find((price) => price !== undefined)?.product
  const product = await findProduct(stripe, plan, idOf(ofPrice))
  if (product) await updateProduct(stripe, plan, product, say)
  if (plan.legacy) return product ? undefined : say('not sold any more, so nothing is made')
  const productId = product?.id ?? (await createProduct(stripe, plan, say))
  for (const [place, price] of plan.prices.entries())
    await setUpPrice(stripe, { price, product: productId, former: found[place] }, say)
}

type ToSetUp = { price: PlanPrice; product: string; former: Stripe.Price | undefined }

/** Stripe can't change the amount of a price, so another amount is another price. */
async function setUpPrice(stripe: Stripe, { price, product, former }: ToSetUp, say: Say) {
  if (former && isRight(former, price)) return say(`found price ${former.id}, ${inWords(price)}`)
  await createPrice(stripe, price, product, say)
  if (former && !price.priceIds.includes(former.id))
    say(
      `that price was another one before. In config/plans.ts, add '${former.id}' to the end of the priceIds that begin with '${price.priceIds[0]}', so that projects that pay it keep their plan`,
    )
}

/** Finds the price by its lookup key or by its id, because the configuration may name either. */
async function findPrice(stripe: Stripe, { priceIds: [name] }: Pick<PlanPrice, 'priceIds'>) {
  const expand = ['currency_options']
  const { data } = await stripe.prices.list({
    lookup_keys: [name!],
    expand: expand.map((path) => `data.${path}`),
  })
  return data[0] ?? orUndefined(stripe.prices.retrieve(name!, { expand }))
}

/** Finds the product with this id, or else the one that was created for this plan. */
async function findProduct(stripe: Stripe, plan: PlanForSale, id: string | undefined) {
  if (id !== undefined) return stripe.products.retrieve(id)
  for await (const product of stripe.products.list({ limit: 100 }))
    if (product.metadata[mark] === plan.id) return product
  return undefined
}

async function createProduct(stripe: Stripe, { id, name }: PlanForSale, say: Say) {
  const product = await stripe.products.create({ name, metadata: { [mark]: id } })
  say(`made product ${product.id}`)
  return product.id
}

async function updateProduct(
  stripe: Stripe,
  { id, legacy }: PlanForSale,
  product: Stripe.Product,
  say: Say,
) {
  const isRight = product.active === !legacy && product.metadata[mark] === id
  if (!isRight)
    await stripe.products.update(product.id, { active: !legacy, metadata: { [mark]: id } })
  say(`${isRight ? 'found' : legacy ? 'archived' : 'took'} product ${product.id}`)
}

/** Moves the lookup key from the former price to the new one, so that buyers pay the new one. */
async function createPrice(stripe: Stripe, price: PlanPrice, product: string, say: Say) {
  const { frequency, every, amounts, priceIds } = price
  const [currency, ...others] = currenciesOf(price)
  const options = others.map((code) => [code, { unit_amount: amounts[code]! }] as const)
  const lookup_key = priceIds[0]!
  const { id } = await stripe.prices.create({
    product,
    currency,
    unit_amount: amounts[currency]!,
    ...(others.length > 0 && { currency_options: Object.fromEntries(options) }),
    recurring: { interval: frequency, interval_count: every },
    lookup_key,
    transfer_lookup_key: true,
  })
  say(`made price ${id}, ${inWords(price)}, with the lookup key ${lookup_key}`)
}

function isRight({ active, recurring, ...theirs }: Stripe.Price, price: PlanPrice) {
  const { frequency, every, amounts } = price
  const isInterval = recurring?.interval === frequency && recurring.interval_count === every
  const costs = (currency: CurrencyCode) =>
    currency === theirs.currency
      ? theirs.unit_amount
      : theirs.currency_options?.[currency]?.unit_amount
  const isFirst = currenciesOf(price)[0] === theirs.currency
  const isAmount = (currency: CurrencyCode) => costs(currency) === amounts[currency]
  return active && isInterval && isFirst && currenciesOf(price).every(isAmount)
}

function inWords(price: PlanPrice) {
  const { frequency, every, amounts } = price
  const sums = currenciesOf(price).map((currency) => {
    const digits = digitsOf(currency)
    return `${(amounts[currency]! / 10 ** digits).toFixed(digits)} ${currency.toUpperCase()}`
  })
  return `${sums.join(' or ')} ${every === 1 ? `a ${frequency}` : `every ${every} ${frequency}s`}`
}

/** Leaves what the operator has decided as it is. */
async function setUpTax(stripe: Stripe, plan: PlanForSale, say: Say) {
  for (const [place, { priceIds, amounts }] of plan.prices.entries()) {
    const price = (await findPrice(stripe, { priceIds }))!
    if (place === 0) await setTaxCode(stripe, idOf(price.product)!, say)
    if (price.tax_behavior !== 'unspecified') continue
    const tax_behavior = 'exclusive'
    const others = Object.keys(amounts).filter((currency) => currency !== price.currency)
    await stripe.prices.update(price.id, {
      tax_behavior,
      ...(others.length > 0 && {
        currency_options: Object.fromEntries(others.map((code) => [code, { tax_behavior }])),
      }),
    })
    say(`tax comes on top of the price ${price.id}`)
  }
}

async function setTaxCode(stripe: Stripe, id: string, say: Say) {
  const product = await stripe.products.retrieve(id)
  if (product.tax_code !== null) return
  await stripe.products.update(id, { tax_code: taxCode })
  say(`set tax code ${taxCode}`)
}

async function setUpEndpoint(stripe: Stripe, publicUrl: string, say: Say) {
  const url = `${publicUrl}/webhooks/stripe`
  if (!canBeReached(publicUrl)) {
    const listen = `stripe listen --forward-to ${url} --events ${events.join(',')}`
    say(
      `no endpoint was made, because Stripe can't reach ${url}. Set PUBLIC_URL to an https address; or, to try it here, run this, which prints the STRIPE_WEBHOOK_SECRET to use: ${listen}`,
    )
    return undefined
  }
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 }))
    if (endpoint.url === url) return updateEndpoint(stripe, endpoint, say)
  const { id, secret } = await stripe.webhookEndpoints.create({
    url,
    enabled_events: [...events],
    api_version: Stripe.API_VERSION,
  })
  say(`made endpoint ${id} for ${url}`)
  return secret
}

function canBeReached(publicUrl: string) {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' && !isLoopback(hostname) && !hostname.endsWith('.localhost')
}

async function updateEndpoint(stripe: Stripe, endpoint: Stripe.WebhookEndpoint, say: Say) {
  const { id, url, status, enabled_events, api_version } = endpoint
  const isRight =
    status === 'enabled' &&
    enabled_events.length === events.length &&
    events.every((event) => enabled_events.includes(event))
  if (!isRight)
    await stripe.webhookEndpoints.update(id, { enabled_events: [...events], disabled: false })
  say(`${isRight ? 'found' : 'updated'} endpoint ${id} for ${url}`)
  say(
    'its secret is the STRIPE_WEBHOOK_SECRET you have. Only the dashboard shows it, at the endpoint; roll it there to get another one',
  )
  if (api_version !== Stripe.API_VERSION)
    say(
      `its API version is ${api_version ?? "the account's own"} instead of ${Stripe.API_VERSION}, and can't be changed. Delete the endpoint and run this again`,
    )
  return undefined
}
