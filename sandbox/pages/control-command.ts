import { z } from 'zod'
import { decide, dispute } from '../billing/dispute.ts'
import { chargeOf, refund } from '../billing/refund.ts'
import { changeSettings, groups, normal, readSettings, type Settings } from '../control/settings.ts'
import type { Courier } from '../events/courier.ts'
import { dropWaiting, waiting } from '../events/outbox.ts'
import { requireObject } from '../store/objects.ts'
import { inTransaction, noRequest, type World } from '../store/tx.ts'

export const orders = ['recorded', 'reversed', 'shuffled'] as const

export const commandShape = z.strictObject({
  /** Resets everything to normal before the rest. */
  reset: z.boolean().optional(),
  charges: groups.charges.optional(),
  webhooks: groups.webhooks.optional(),
  api: groups.api.optional(),
  /** Delivers the held events one after another. Events that these cause are held again. */
  release: z
    .strictObject({ order: z.enum(orders).default('recorded'), seed: z.int().default(1) })
    .optional(),
  /** The id of an event to deliver now, whatever its state. */
  redeliver: z.string().optional(),
  /** A refund, as made in Stripe's dashboard: of all that is left, without an amount. */
  refund: z.strictObject({ payment: z.string(), amount: z.int().min(1).optional() }).optional(),
  /** A dispute by the payer, or the bank's decision on it. */
  dispute: z
    .strictObject({ payment: z.string(), outcome: z.enum(['open', 'won', 'lost']).default('open') })
    .optional(),
})
export type Command = z.output<typeof commandShape>

/** Resolves to the new settings once the webhooks that are due have been attempted. */
export async function carryOut(world: World, courier: Courier, asked: Command): Promise<Settings> {
  const { pool } = world
  const { reset, release, redeliver, refund: back, dispute: disputed, ...given } = asked
  if (given.charges?.customer)
    await requireObject(pool, 'customer', given.charges.customer, 'charges[customer]')
  if (redeliver) await requireObject(pool, 'event', redeliver, 'redeliver')
  const change = reset ? { ...normal, ...given } : given
  // Events recorded before this are still delivered.
  if (change.webhooks) await courier.attemptAll()
  await changeSettings(pool, change)
  if (change.webhooks?.mode === 'drop') await dropWaiting(pool)
  if (change.webhooks) await courier.attemptAll()
  if (back) await refundPayment(world, back)
  if (disputed) await disputePayment(world, disputed)
  if (back || disputed) await courier.attemptAll()
  if (release) await courier.carryNow(arranged(await waiting(pool), release))
  if (redeliver) await courier.carryNow([redeliver])
  return readSettings(pool)
}

function refundPayment(world: World, { payment, amount }: NonNullable<Command['refund']>) {
  return inTransaction(world, noRequest, async (tx) => {
    const charge = await chargeOf(tx, payment, 'refund[payment]')
    return refund(tx, charge, {
      reason: 'requested_by_customer',
      ...(amount !== undefined && { amount }),
    })
  })
}

function disputePayment(world: World, { payment, outcome }: NonNullable<Command['dispute']>) {
  return inTransaction(world, noRequest, async (tx) => {
    const charge = await chargeOf(tx, payment, 'dispute[payment]')
    return outcome === 'open' ? dispute(tx, charge) : decide(tx, charge, outcome)
  })
}

/** Puts the events in this order. The same seed shuffles the same way. */
function arranged<T>(
  all: T[],
  { order, seed }: { order: (typeof orders)[number]; seed: number },
): T[] {
  if (order === 'reversed') return all.toReversed()
  return order === 'shuffled' ? shuffled(all, seed) : all
}

function shuffled<T>(all: T[], seed: number): T[] {
  const next = randomFrom(seed)
  return all
    .map((each) => ({ each, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each)
}

/** mulberry32: numbers from 0 to 1 that look random enough. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
