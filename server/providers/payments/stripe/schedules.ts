import type { PlanId } from '#config/plans.ts'
import type Stripe from 'stripe'
import type { NextChange, Payments } from '../payments.ts'
import { idOf } from './answers.ts'
import { isOtherInterval, type Prices } from './prices.ts'
import { createCoupon } from './promotions.ts'

// How what waits for the end of a period is kept: docs/decisions/020-plans-as-they-are-sold.md.

/**
 * The key in a subscription's metadata for the end that its owner asked for: when, and the free plan
 * that it changes to. An end at another time is an operator's.
 */
const planned = 'planned'

export function schedules(stripe: Stripe, prices: Prices) {
  const retrieve = (id: string) => stripe.subscriptions.retrieve(id, { expand: ['schedule'] })

  async function takeBack(id: string) {
    const subscription = await retrieve(id)
    await release(stripe, subscription)
    if (plannedEndOf(subscription)) await stripe.subscriptions.update(id, withoutPlannedEnd)
  }

  /** Phases replace everything, also the discounts. */
  async function writePhases(
    { id, phases }: Stripe.SubscriptionSchedule,
    subscription: Stripe.Subscription,
    priceId: string,
  ) {
    const [{ items, start_date, end_date }] = phases as [Stripe.SubscriptionSchedule.Phase]
    const { metadata, currency, automatic_tax, discounts } = subscription
    const both = {
      discounts: discounts.map((each) => ({ discount: idOf(each)! })),
      automatic_tax: { enabled: automatic_tax.enabled },
      metadata,
      proration_behavior: 'none',
    } as const
    await prices.selling(priceId, async (price) => {
      const to = await prices.costOf(price, currency)
      const next = {
        items: [{ price }],
        duration: { interval: to.frequency, interval_count: to.every },
        ...(isOtherInterval(subscription, to) && { billing_cycle_anchor: 'phase_start' }),
      }
      await stripe.subscriptionSchedules.update(id, {
        end_behavior: 'release',
        proration_behavior: 'none',
        metadata,
        phases: [
          { ...both, items: items.map(presentItem), start_date, end_date },
          { ...both, ...next },
        ],
      })
    })
  }

  return {
    async changeLater({ providerSubscriptionId: id, priceId }) {
      const subscription = await retrieve(id)
      const present = await nextOf(subscription, prices)
      if (present?.isOwn && present.id === priceId) return
      await takeBack(id)
      const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id })
      try {
        await writePhases(schedule, subscription, priceId)
      } catch (error) {
        await stripe.subscriptionSchedules.release(schedule.id)
        throw error
      }
    },

    async endLater(id, changedTo) {
      const present = await retrieve(id)
      await release(stripe, present)
      const endAt = (at: number) =>
        stripe.subscriptions.update(id, {
          cancel_at_period_end: true,
          metadata: { [planned]: [at, changedTo].join(' ').trim() },
        })
      const end = endOf(present)
      const ends = endOf(await endAt(end))
      // A period has ended since the subscription was read.
      if (ends !== end) await endAt(ends)
    },

    takeBack,

    async setDiscount({ providerSubscriptionId: id, off, months, attempt }) {
      const { currency } = await retrieve(id)
      const discounts = off
        ? [{ coupon: await createCoupon(stripe, { off, months, attempt, currency }) }]
        : ('' as const)
      await stripe.subscriptions.update(id, { discounts })
      const subscription = await retrieve(id)
      const { schedule } = subscription
      const next = await nextOf(subscription, prices)
      if (next?.isOwn && typeof schedule === 'object' && schedule)
        await writePhases(schedule, subscription, next.id)
    },
  } satisfies Partial<Payments>
}

/** What a change of the subscription takes back of what its owner had planned for the end. */
export const withoutPlannedEnd = { cancel_at_period_end: false, metadata: { [planned]: '' } }

/** The end that its owner asked for, also once the subscription has come to it. */
export function plannedEndOf(subscription: Stripe.Subscription) {
  const { cancel_at_period_end: isPlanned, ended_at, metadata } = subscription
  const [value, changedTo] = metadata[planned]?.split(' ') ?? []
  const at = Number(value)
  const isOwn = isPlanned && (ended_at === null ? endOf(subscription) === at : ended_at >= at)
  return isOwn ? { at, changedTo: changedTo as PlanId | undefined } : undefined
}

function endOf({ items }: Stripe.Subscription) {
  return items.data[0]!.current_period_end
}

/** When a subscription ends, who has asked for that, and what it changes to at that time. */
export async function plansOf(subscription: Stripe.Subscription, prices: Prices) {
  const own = plannedEndOf(subscription)
  if (own?.changedTo !== undefined) {
    const next: NextChange = { id: own.changedTo, price: null, at: own.at, isOwn: true }
    return { ends: undefined, endsBy: undefined, next }
  }
  const { cancel_at, cancel_at_period_end: isPlanned } = subscription
  const ends = cancel_at ?? (isPlanned ? endOf(subscription) : undefined)
  const by = own ? ('owner' as const) : ('operator' as const)
  return {
    ends,
    endsBy: ends === undefined ? undefined : by,
    next: await nextOf(subscription, prices),
  }
}

async function nextOf(
  { schedule, currency }: Stripe.Subscription,
  prices: Prices,
): Promise<NextChange | undefined> {
  if (typeof schedule !== 'object' || schedule === null) return undefined
  const end = schedule.current_phase?.end_date
  const phase = schedule.phases.find(({ start_date }) => start_date === end)
  const price = idOf(phase?.items[0]?.price)
  if (phase === undefined || price === undefined) return undefined
  const cost = await prices.costOf(price, currency)
  return {
    id: await prices.nameOf(price),
    price: cost,
    at: phase.start_date,
    isOwn: isOwn(schedule),
  }
}

/** Stripe lets nobody change how a subscription with a schedule ends, so ours makes way for that. */
export async function release(stripe: Stripe, { schedule }: Stripe.Subscription) {
  if (typeof schedule === 'object' && schedule !== null && isOwn(schedule))
    await stripe.subscriptionSchedules.release(schedule.id)
}

/** A schedule of one phase changes nothing: ours is one until its second request. */
function isOwn({ metadata, phases }: Stripe.SubscriptionSchedule) {
  return metadata?.['subscriptionId'] !== undefined || phases.length === 1
}

function presentItem({ price, quantity }: Stripe.SubscriptionSchedule.Phase.Item) {
  return { price: idOf(price)!, ...(quantity !== undefined && { quantity }) }
}
