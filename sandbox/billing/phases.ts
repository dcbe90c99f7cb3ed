import { sameInterval } from '../objects/calendar.ts'
import { planOf } from '../objects/price.ts'
import { newItem, periodOf } from '../objects/subscription.ts'
import type {
  Phase,
  Subscription,
  SubscriptionItem,
  SubscriptionSchedule,
} from '../objects/wire.ts'
import { change } from '../events/record.ts'
import { requireObject } from '../store/objects.ts'
import type { Runner, Tx } from '../store/tx.ts'
import { idsOf, type Applied } from './discounts.ts'
import { releaseSchedule } from './end-schedule.ts'
import { withChange } from './pending-update.ts'
import { countRedemptions, discountsOfPhase, saveDiscounts } from './redeem.ts'
import { swap } from './swap.ts'

/** Begins the schedule's next phase, or releases the subscription after the last one. */
export async function scheduleDue(tx: Tx, { subscription }: SubscriptionSchedule) {
  await enterDuePhases(tx, await requireObject(tx, 'subscription', subscription!))
}

/** The subscription after the phases of its schedule, if it has one, that have begun by now. */
export async function enterDuePhases(tx: Tx, subscription: Subscription): Promise<Subscription> {
  if (!subscription.schedule) return subscription
  const schedule = await requireObject(tx, 'subscription_schedule', subscription.schedule)
  const ended = schedule.current_phase?.end_date ?? Infinity
  if (ended > tx.now) return subscription
  const next = nextPhaseOf(schedule)
  if (next) await enter(tx, schedule, next, subscription)
  else await releaseSchedule(tx, schedule)
  return enterDuePhases(tx, await requireObject(tx, 'subscription', subscription.id))
}

function nextPhaseOf({ current_phase, phases }: SubscriptionSchedule): Phase | undefined {
  return phases.find(({ start_date }) => start_date === current_phase?.end_date)
}

async function enter(
  tx: Tx,
  schedule: SubscriptionSchedule,
  phase: Phase,
  subscription: Subscription,
) {
  const { start_date, end_date } = phase
  const current_phase = { end_date, start_date }
  await change(tx, 'subscription_schedule.updated', schedule, { current_phase })
  const applied = await discountsOfPhase(tx, subscription, phase.discounts, start_date)
  await saveDiscounts(tx, applied, subscription.id)
  await countRedemptions(tx, applied, subscription.discounts)
  const { begun: there, items, anchor } = await inPhase(tx, subscription, phase)
  const begun = { ...there, discounts: idsOf(applied) }
  // At the end of a period there is nothing to prorate: the renewal bills the new items.
  if (start_date >= periodOf(subscription).end) {
    const along = { billing_cycle_anchor: anchor, metadata: phase.metadata }
    await change(
      tx,
      'customer.subscription.updated',
      subscription,
      withChange(begun, items, along, tx.now),
    )
    return
  }
  await change(tx, 'customer.subscription.updated', subscription, begun)
  await swap(tx, begun, {
    items,
    at: tx.now,
    prorates: phase.proration_behavior !== 'none',
    restartsAt: phase.billing_cycle_anchor === 'phase_start' ? tx.now : undefined,
    ifUnpaid: 'allow_incomplete',
    along: { metadata: phase.metadata },
  })
}

/** The subscription as its next period begins: with the items of its schedule's next phase. */
export async function atRenewal(
  runner: Runner,
  subscription: Subscription,
): Promise<{ renewed: Subscription; applied?: Applied[] }> {
  const { schedule: id } = subscription
  const schedule = id && (await requireObject(runner, 'subscription_schedule', id))
  const next = schedule ? nextPhaseOf(schedule) : undefined
  if (!next || next.start_date > periodOf(subscription).end) return { renewed: subscription }
  const { begun, items, anchor } = await inPhase(runner, subscription, next)
  return {
    renewed: withChange(begun, items, { billing_cycle_anchor: anchor }, next.start_date),
    applied: await discountsOfPhase(runner, subscription, next.discounts, next.start_date),
  }
}

type InPhase = { begun: Subscription; items: SubscriptionItem[]; anchor: number | undefined }

/** What the phase makes of the subscription and its items, and where it moves the anchor. */
export async function inPhase(
  runner: Runner,
  subscription: Subscription,
  phase: Phase,
): Promise<InPhase> {
  const items = await itemsOf(runner, subscription, phase)
  const [before] = subscription.items.data
  const isAligned = sameInterval(before!.price.recurring, items[0]!.price.recurring)
  const moves = phase.billing_cycle_anchor === 'phase_start' || !isAligned
  const begun: Subscription = {
    ...subscription,
    automatic_tax: phase.automatic_tax ?? subscription.automatic_tax,
    default_payment_method: phase.default_payment_method ?? subscription.default_payment_method,
  }
  return { begun, items, anchor: moves ? phase.start_date : undefined }
}

function itemsOf(runner: Runner, { id, items }: Subscription, phase: Phase) {
  return Promise.all(
    phase.items.map(async ({ price: priceId, quantity }, index): Promise<SubscriptionItem> => {
      const price = await requireObject(runner, 'price', priceId)
      const [first] = items.data
      const item = items.data[index]
      if (item) return { ...item, plan: planOf(price), price, quantity }
      const { current_period_start: start, current_period_end: end } = first!
      return newItem(id, { price, quantity, metadata: {} }, { start, end }, phase.start_date)
    }),
  )
}
