import { newPrice, newProduct, type WeeklyPrice } from '../objects/price.ts'
import type { Pool } from 'pg'
import { inTransaction, nobody } from './tx.ts'
import { lookUp, save } from './objects.ts'

/** The products and prices that are sold here: created when missing, never changed. */
export async function ensurePrices(pool: Pool, prices: WeeklyPrice[]) {
  const world = { pool, account: { publicUrl: '', name: '' }, committed: () => undefined }
  await inTransaction(world, nobody, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('sandbox.prices'))`)
    for (const weekly of prices) {
      if (!(await lookUp(tx, weekly.product.id))) await save(tx, newProduct(weekly, tx.now))
      if (!(await lookUp(tx, weekly.id))) await save(tx, newPrice(weekly, tx.now))
    }
  })
}
