import type { Pool } from 'pg'
import { newPrice, type WeeklyPrice } from '../objects/price.ts'
import { newProduct } from '../objects/product.ts'
import { inTransaction, nobody, type Tx } from './tx.ts'
import { lookUp, save } from './objects.ts'

/** The products and prices that are sold here: created when missing, never changed. */
export async function ensurePrices(pool: Pool, prices: WeeklyPrice[]) {
  const account = { publicUrl: '', name: '', linkSecret: '' }
  const world = {
    pool,
    account,
    framedBy: "'self'" as const,
    committed: () => undefined,
  }
  await inTransaction(world, nobody, async (tx) => {
    await lockPrices(tx)
    for (const { id, product, currency, unitAmount: unit_amount } of prices) {
      if (!(await lookUp(tx, product.id))) await save(tx, newProduct(product, tx.now))
      const price = {
        id,
        currency,
        lookup_key: id,
        metadata: {},
        nickname: null,
        product: product.id,
        unit_amount,
      }
      if (!(await lookUp(tx, id))) await save(tx, newPrice(price, tx.now))
      else await ensureLookupKey(tx, id)
    }
  })
}

/** Prices don't belong to a customer, whose row would be the lock. */
export function lockPrices(tx: Tx) {
  return tx.query(`select pg_advisory_xact_lock(hashtext('sandbox.prices'))`)
}

/** Those made before prices had lookup keys get theirs, unless it has gone to another one. */
async function ensureLookupKey(tx: Tx, id: string) {
  await tx.query(
    `update sandbox.objects set body = body || jsonb_build_object('lookup_key', id)
     where id = $1 and body->>'lookup_key' is null
       and not exists (select 1 from sandbox.objects where type = 'price' and body->>'lookup_key' = $1)`,
    [id],
  )
}
