import type Stripe from 'stripe'
import { found, idOf } from './asked.ts'

export type PlanForSale = {
  id: string
  /** As people read it on invoices. */
  name: string
  /** Of the provider's prices. The first is the one that new projects are sold. */
  priceIds: readonly string[]
  /** A week's, in minor units. */
  unitAmount: number
  /** ISO 4217, lower case. */
  currency: string
  /** Paid for by whoever has it, and sold to nobody. */
  legacy: boolean
}

const mark = 'atrium_plan'

type Say = (line: string) => void

/** The plan's product and price, found or made. Of a legacy plan nothing is made: without a price nobody can have it. */
export async function setUpPlan(stripe: Stripe, plan: PlanForSale, say: Say) {
  const price = await findPrice(stripe, plan)
  const product = await findProduct(stripe, plan, idOf(price?.product))
  if (product) await keepProduct(stripe, plan, product, say)
  if (plan.legacy) return product ? undefined : say('not sold any more, so nothing is made')
  if (price && isRight(price, plan)) return say(`found price ${price.id}, ${inWords(plan)}`)
  await addPrice(stripe, plan, product?.id ?? (await addProduct(stripe, plan, say)), say)
  if (price && !plan.priceIds.includes(price.id)) say(toKeep(price.id))
}

/** By lookup key, or by id: the configuration may name either. */
export async function findPrice(stripe: Stripe, { priceIds: [name] }: PlanForSale) {
  const { data } = await stripe.prices.list({ lookup_keys: [name!] })
  return data[0] ?? found(stripe.prices.retrieve(name!))
}

/** That of the price, or the one that was made for this plan. */
async function findProduct(stripe: Stripe, plan: PlanForSale, id: string | undefined) {
  if (id !== undefined) return stripe.products.retrieve(id)
  for await (const product of stripe.products.list({ limit: 100 }))
    if (product.metadata[mark] === plan.id) return product
  return undefined
}

async function addProduct(stripe: Stripe, { id, name }: PlanForSale, say: Say) {
  const made = await stripe.products.create({ name, metadata: { [mark]: id } })
  say(`made product ${made.id}`)
  return made.id
}

async function keepProduct(
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

/** The key moves on to the new price, and with it whoever buys the plan from now on. */
async function addPrice(stripe: Stripe, plan: PlanForSale, product: string, say: Say) {
  const { currency, unitAmount: unit_amount, priceIds } = plan
  const lookup_key = priceIds[0]!
  const recurring = { interval: 'week' } as const
  const made = await stripe.prices.create({
    product,
    currency,
    unit_amount,
    recurring,
    lookup_key,
    transfer_lookup_key: true,
  })
  say(`made price ${made.id}, ${inWords(plan)}, with the lookup key ${lookup_key}`)
}

function toKeep(priceId: string) {
  return `its price was another one before. Add '${priceId}' to the end of this plan's priceIds in config/plans.ts, so that projects that pay it keep their plan`
}

function isRight({ active, unit_amount, currency, recurring }: Stripe.Price, plan: PlanForSale) {
  const isWeekly = recurring?.interval === 'week' && recurring.interval_count === 1
  return active && isWeekly && unit_amount === plan.unitAmount && currency === plan.currency
}

function inWords({ unitAmount, currency }: PlanForSale) {
  return `${(unitAmount / 100).toFixed(2)} ${currency.toUpperCase()} a week`
}
