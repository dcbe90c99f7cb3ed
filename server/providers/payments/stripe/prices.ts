import type Stripe from 'stripe'
import { asked } from './asked.ts'

export type Prices = ReturnType<typeof openPrices>

/** Lookup keys that one request may ask for. */
const atOnce = 10

/**
 * The configuration names prices by their id or by their lookup key, which is the same in test mode and live. Asked for once, when the
 * first is needed.
 */
export function openPrices(stripe: Stripe, names: readonly string[]) {
  let known: Promise<Map<string, string>> | undefined

  function load() {
    known ??= findByLookupKey(stripe, names).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  return {
    async idOf(name: string) {
      return (await load()).get(name) ?? name
    },
    async nameOf(id: string) {
      for (const [name, known] of await load()) if (known === id) return name
      return id
    },
  }
}

async function findByLookupKey(stripe: Stripe, names: readonly string[]) {
  const ids = new Map<string, string>()
  for (let start = 0; start < names.length; start += atOnce) {
    const { data } = await asked(stripe.prices.list({ lookup_keys: names.slice(start, start + atOnce), limit: 100 }))
    for (const { id, lookup_key } of data) if (lookup_key) ids.set(lookup_key, id)
  }
  return ids
}
