import { billingLimits } from '#config/limits.ts'
import type { Frequency, Interval } from '#contract/plan.ts'
import type { Price } from '#contract/prices.ts'
import type Stripe from 'stripe'
import { means } from './answers.ts'

export type Prices = ReturnType<typeof openPrices>

/** The most lookup keys that Stripe accepts in one request. */
const keysPerRequest = 10

/** A name is a price's id or its lookup key, which the operator may move while the server runs. */
export function openPrices(stripe: Stripe, names: readonly string[], now: () => Date) {
  let known: { ids: Promise<Map<string, string>>; until: number } | undefined
  /** What prices cost, by id and currency. Stripe never changes the amount of a price. */
  const costs = new Map<string, Price>()
  /** Ids that a lookup found under no name of the configuration. They cause no further lookup. */
  const foreign = new Set<string>()

  async function fresh() {
    const ids = findByLookupKey(stripe, names)
    known = { ids, until: now().getTime() + billingLimits.pricesCached }
    ids.catch(() => (known = undefined))
    return ids
  }

  async function current() {
    return known && known.until > now().getTime() ? known.ids : fresh()
  }

  return {
    /** If the price's lookup key has moved to another price, calls `sell` again with that one. */
    async selling<Answer>(name: string, sell: (id: string) => Promise<Answer>): Promise<Answer> {
      const id = (await current()).get(name) ?? name
      try {
        return await sell(id)
      } catch (error) {
        const next = means(error, 'planNotForSale') ? (await fresh()).get(name) : undefined
        if (next === undefined || next === id) throw error
        return sell(next)
      }
    },

    async nameOf(id: string) {
      const name = nameIn(await current(), id)
      if (name !== undefined || names.includes(id) || foreign.has(id)) return name ?? id
      foreign.add(id)
      return nameIn(await fresh(), id) ?? id
    },

    /** What somebody pays for a price, which is given by itself or by its id. */
    async costOf(price: Stripe.Price | string, currency: string): Promise<Price> {
      if (typeof price === 'object' && price.currency === currency) return toPrice(price)
      const id = typeof price === 'string' ? price : price.id
      const key = `${id} ${currency}`
      const known = costs.get(key)
      if (known) return known
      const found = await stripe.prices.retrieve(id, { expand: ['currency_options'] })
      const { unit_amount = found.unit_amount } = found.currency_options?.[currency] ?? {}
      const cost = toPrice({ ...found, unit_amount, currency })
      costs.set(key, cost)
      return cost
    },
  }
}

function toPrice({ unit_amount, currency, recurring }: Stripe.Price): Price {
  const { interval, interval_count: every } = recurring!
  return { amount: unit_amount ?? 0, currency, frequency: interval as Frequency, every }
}

/** Whether a subscription is charged in other intervals than these. */
export function isOtherInterval({ items }: Stripe.Subscription, { frequency, every }: Interval) {
  const { interval, interval_count } = items.data[0]!.price.recurring!
  return interval !== frequency || interval_count !== every
}

function nameIn(ids: Map<string, string>, id: string) {
  for (const [name, known] of ids) if (known === id) return name
  return undefined
}

async function findByLookupKey(stripe: Stripe, names: readonly string[]) {
  const ids = new Map<string, string>()
  for (let start = 0; start < names.length; start += keysPerRequest) {
    const { data } = await stripe.prices.list({
      lookup_keys: names.slice(start, start + keysPerRequest),
      limit: 100,
    })
    for (const { id, lookup_key } of data) if (lookup_key) ids.set(lookup_key, id)
  }
  return ids
}
