import { newPrice, newProduct, type SandboxPrice } from '../objects/price.ts'
import type { Price } from '../objects/wire.ts'
import { inTransaction, noRequest, type Tx, type World } from './tx.ts'
import { findObject, save } from './objects.ts'

/** Creates products and prices that are missing. Does not change existing ones. */
export async function ensurePrices(world: World, prices: SandboxPrice[]) {
  await inTransaction(world, noRequest, async (tx) => {
    await lockPrices(tx)
    for (const { id, product, interval, intervalCount, amounts } of prices) {
      const options = Object.entries(amounts).map(
        ([currency, unit_amount]) => [currency, { unit_amount }] as const,
      )
      if (!(await findObject(tx, product.id))) await save(tx, newProduct(product, tx.now))
      const price = {
        id,
        currency: options[0]![0],
        lookup_key: id,
        metadata: {},
        nickname: null,
        options: Object.fromEntries(options),
        product: product.id,
        recurring: { interval, interval_count: intervalCount },
        ...options[0]![1],
      }
      const made = newPrice(price, tx.now)
      if (await findObject(tx, id)) await addMissing(tx, made)
      else await save(tx, made)
    }
  })
}

/** Lets one transaction at a time change prices, which have no customer's row to lock. */
export function lockPrices(tx: Tx) {
  return tx.query(`select pg_advisory_xact_lock(hashtext('sandbox.prices'))`)
}

/** Gives an existing price new currencies, and its lookup key unless another price has it. */
async function addMissing(tx: Tx, { id, currency_options }: Price) {
  await tx.query(
    `update sandbox.objects set body = body || jsonb_build_object('currency_options',
       ($2::jsonb - (body->>'currency')) || coalesce(body->'currency_options', '{}'))
     where id = $1`,
    [id, JSON.stringify(currency_options)],
  )
  await tx.query(
    `update sandbox.objects set body = body || jsonb_build_object('lookup_key', id)
     where id = $1 and body->>'lookup_key' is null
       and not exists (select 1 from sandbox.objects where type = 'price' and body->>'lookup_key' = $1)`,
    [id],
  )
}
