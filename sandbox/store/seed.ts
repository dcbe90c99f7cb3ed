import { newPrice, type WeeklyPrice } from '../objects/price.ts'
import { newProduct } from '../objects/product.ts'
import { inTransaction, noRequest, type Tx, type World } from './tx.ts'
import { findObject, save } from './objects.ts'

/** Creates products and prices that are missing. Does not change existing ones. */
export async function ensurePrices(world: World, prices: WeeklyPrice[]) {
  await inTransaction(world, noRequest, async (tx) => {
    await lockPrices(tx)
    for (const { id, product, currency, unitAmount: unit_amount } of prices) {
      if (!(await findObject(tx, product.id))) await save(tx, newProduct(product, tx.now))
      const price = {
        id,
        currency,
        lookup_key: id,
        metadata: {},
        nickname: null,
        product: product.id,
        unit_amount,
      }
      if (!(await findObject(tx, id))) await save(tx, newPrice(price, tx.now))
      else await ensureLookupKey(tx, id)
    }
  })
}

/** Lets one transaction at a time change prices, which have no customer's row to lock. */
export function lockPrices(tx: Tx) {
  return tx.query(`select pg_advisory_xact_lock(hashtext('sandbox.prices'))`)
}

/** Gives a price of an older sandbox its lookup key, unless another price has it. */
async function ensureLookupKey(tx: Tx, id: string) {
  await tx.query(
    `update sandbox.objects set body = body || jsonb_build_object('lookup_key', id)
     where id = $1 and body->>'lookup_key' is null
       and not exists (select 1 from sandbox.objects where type = 'price' and body->>'lookup_key' = $1)`,
    [id],
  )
}
