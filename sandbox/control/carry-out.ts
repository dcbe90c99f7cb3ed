import { z } from 'zod'
import type { Courier } from '../events/courier.ts'
import { dropWaiting, waiting } from '../events/outbox.ts'
import { find } from '../store/objects.ts'
import type { World } from '../store/tx.ts'
import { arranged, orders } from './arranged.ts'
import { changeSettings, groups, normal, readSettings, type Settings } from './settings.ts'

export const wish = z.strictObject({
  /** Everything as normal, before anything else that is wished. */
  reset: z.boolean().optional(),
  charges: groups.charges.optional(),
  webhooks: groups.webhooks.optional(),
  api: groups.api.optional(),
  /** Attempts what is held, one after another; what happens then is held again. */
  release: z.strictObject({ order: z.enum(orders).default('recorded'), seed: z.int().default(1) }).optional(),
  /** An event that is delivered now, whatever became of it before. */
  redeliver: z.string().optional(),
})
export type Wish = z.output<typeof wish>

/** Resolves to the settings as they are then, once the webhooks that were to go have been attempted. */
export async function carryOut({ pool }: World, courier: Courier, { reset, release, redeliver, ...given }: Wish): Promise<Settings> {
  if (given.charges?.customer) await find(pool, 'customer', given.charges.customer, 'charges[customer]')
  if (redeliver) await find(pool, 'event', redeliver, 'redeliver')
  const change = reset ? { ...normal, ...given } : given
  // What happened before they are held or dropped is neither.
  if (change.webhooks) await courier.attemptAll()
  await changeSettings(pool, change)
  if (change.webhooks?.mode === 'drop') await dropWaiting(pool)
  if (change.webhooks) await courier.attemptAll()
  if (release) await courier.carryNow(arranged(await waiting(pool), release))
  if (redeliver) await courier.carryNow([redeliver])
  return readSettings(pool)
}
