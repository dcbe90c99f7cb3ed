import { hash } from 'node:crypto'
import { z } from 'zod'
import { changedItems } from '../billing/change-items.ts'
import { decide, dispute } from '../billing/dispute.ts'
import { chargeOf, refund } from '../billing/refund.ts'
import { swap } from '../billing/swap.ts'
import { lockUpToDate } from '../clock/up-to-date.ts'
import { changeSettings, groups, normal, readSettings, type Settings } from '../control/settings.ts'
import { publish } from '../events/record.ts'
import { newCoupon, newPromotionCode } from '../objects/coupon.ts'
import { randomLetters } from '../objects/new-object.ts'
import type { Courier } from '../events/courier.ts'
import { dropWaiting, waiting } from '../events/outbox.ts'
import { requireObject } from '../store/objects.ts'
import { inTransaction, noRequest, type Tx, type World } from '../store/tx.ts'

export const orders = ['recorded', 'reversed', 'shuffled'] as const

export const commandShape = z.strictObject({
  /** Resets all settings before the rest of the command is carried out. */
  reset: z.boolean().optional(),
  charges: groups.charges.optional(),
  webhooks: groups.webhooks.optional(),
  api: groups.api.optional(),
  /** Delivers the held events one after another. Events that they cause are held. */
  release: z
    .strictObject({ order: z.enum(orders).default('recorded'), seed: z.int().default(1) })
    .optional(),
  /** The id of an event to deliver now, even if it was delivered or dropped before. */
  redeliver: z.string().optional(),
  /** Makes a refund as in Stripe's dashboard. Without `amount` it refunds the whole rest. */
  refund: z.strictObject({ payment: z.string(), amount: z.int().min(1).optional() }).optional(),
  /** Opens a dispute as the payer, or decides it as the bank. */
  dispute: z
    .strictObject({ payment: z.string(), outcome: z.enum(['open', 'won', 'lost']).default('open') })
    .optional(),
  /** Changes what a subscription pays from the next week, as in Stripe's dashboard. */
  price: z.strictObject({ subscription: z.string(), price: z.string() }).optional(),
  /** Makes a promotion code, as in Stripe's dashboard. Without `months` it is for one payment. */
  promotion: z
    .strictObject({
      code: z.string().regex(/^[\w-]+$/),
      percent_off: z.number().min(1).max(100),
      months: z.int().min(1).optional(),
    })
    .optional(),
})
export type Command = z.output<typeof commandShape>

/** Carries out a command. Resolves to the new settings once due webhooks have been attempted. */
export async function carryOut(world: World, courier: Courier, asked: Command): Promise<Settings> {
  const { pool } = world
  const { reset, release, redeliver, refund: back, dispute: disputed, price, ...others } = asked
  const { promotion, ...given } = others
  if (given.charges?.customer)
    await requireObject(pool, 'customer', given.charges.customer, 'charges[customer]')
  if (redeliver) await requireObject(pool, 'event', redeliver, 'redeliver')
  const change = reset ? { ...normal, ...given } : given
  // The old webhook settings still apply to events that were recorded before this command.
  if (change.webhooks) await courier.attemptAll()
  await changeSettings(pool, change)
  if (change.webhooks?.mode === 'drop') await dropWaiting(pool)
  if (change.webhooks) await courier.attemptAll()
  if (back || disputed || price || promotion) {
    await inTransaction(world, noRequest, async (tx) => {
      if (back) await refundPayment(tx, back)
      if (disputed) await disputePayment(tx, disputed)
      if (price) await changePrice(tx, price)
      if (promotion) await makePromotionCode(tx, promotion)
    })
    await courier.attemptAll()
  }
  if (release) await courier.carryNow(arranged(await waiting(pool), release))
  if (redeliver) await courier.carryNow([redeliver])
  return readSettings(pool)
}

async function refundPayment(tx: Tx, { payment, amount }: NonNullable<Command['refund']>) {
  const charge = await chargeOf(tx, payment, 'refund[payment]')
  return refund(tx, charge, {
    reason: 'requested_by_customer',
    ...(amount !== undefined && { amount }),
  })
}

async function disputePayment(tx: Tx, { payment, outcome }: NonNullable<Command['dispute']>) {
  const charge = await chargeOf(tx, payment, 'dispute[payment]')
  return outcome === 'open' ? dispute(tx, charge) : decide(tx, charge, outcome)
}

async function changePrice(tx: Tx, { subscription: id, price }: NonNullable<Command['price']>) {
  const subscription = await lockUpToDate(tx, id)
  const [item] = subscription.items.data
  return swap(tx, subscription, {
    items: await changedItems(tx, subscription, [{ id: item!.id, price }], tx.now),
    at: tx.now,
    prorates: false,
    restartsAt: undefined,
    ifUnpaid: 'allow_incomplete',
  })
}

async function makePromotionCode(tx: Tx, asked: NonNullable<Command['promotion']>) {
  const { code, percent_off, months } = asked
  const given = {
    id: randomLetters(8),
    duration: months === undefined ? ('once' as const) : ('repeating' as const),
    duration_in_months: months ?? null,
    percent_off,
  }
  const coupon = await publish(tx, 'coupon.created', newCoupon(given, tx.now))
  const promotion = { coupon: coupon.id, type: 'coupon' as const }
  await publish(tx, 'promotion_code.created', newPromotionCode({ code, promotion }, tx.now))
}

/** The events in the requested order. `seed` determines the order of `shuffled`. */
function arranged<T>(
  all: T[],
  { order, seed }: { order: (typeof orders)[number]; seed: number },
): T[] {
  if (order === 'reversed') return all.toReversed()
  return order === 'shuffled' ? shuffled(all, seed) : all
}

/** In an order that follows from the seed and the number of events alone. */
function shuffled<T>(all: T[], seed: number): T[] {
  return all
    .map((each, index) => ({ each, at: hash('sha256', `${seed} ${index}`) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ each }) => each)
}
