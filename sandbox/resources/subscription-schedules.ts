import { z } from 'zod'
import { invalid, refused } from '../rules/errors.ts'
import { reading } from '../api/pages.ts'
import { currency, flag, list, mergedMetadata, metadata, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { cardOf } from '../billing/attach.ts'
import { pricedItems } from '../billing/change-items.ts'
import { discountsOf, idsOf } from '../billing/discounts.ts'
import { releaseSchedule } from '../billing/end-schedule.ts'
import { inPhase } from '../billing/phases.ts'
import {
  countRedemptions,
  discountsAsked,
  discountsOfPhase,
  isAsked,
  saveDiscounts,
} from '../billing/redeem.ts'
import { swap } from '../billing/swap.ts'
import { lockUpToDate } from '../clock/up-to-date.ts'
import { change, publish } from '../events/record.ts'
import { periodAt } from '../objects/calendar.ts'
import { refuseCombining } from '../objects/customer.ts'
import {
  newPhase,
  newPhaseDiscount,
  newPhaseItem,
  newSchedule,
  phaseItemsOf,
  sameItems,
} from '../objects/schedule.ts'
import { isOver, subtotalOf } from '../objects/subscription.ts'
import type { Phase, Subscription, SubscriptionSchedule } from '../objects/wire.ts'
import { phasesAtMost } from '../rules/limits.ts'
import { refusals } from '../rules/refusals.ts'
import { lockObject, requireObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { cancelNow } from './subscription-changes.ts'
import {
  automaticTax,
  automaticTaxOf,
  discounts,
  prorationBehavior,
  quantity,
  refuseWaitingProrations,
} from './subscription-fields.ts'

const phaseFields = z.strictObject({
  automatic_tax: automaticTax,
  billing_cycle_anchor: z.enum(['automatic', 'phase_start']).optional(),
  currency: currency.optional(),
  default_payment_method: text.optional(),
  duration: z
    .strictObject({
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: whole.pipe(z.number().min(1)).default(1),
    })
    .optional(),
  discounts,
  end_date: whole.optional(),
  items: list(z.strictObject({ price: text, quantity: quantity.optional() })),
  metadata: z.record(z.string(), z.string()).optional(),
  proration_behavior: prorationBehavior,
  start_date: whole.optional(),
  trial_end: whole.optional(),
})
type PhaseGiven = z.output<typeof phaseFields>

const changes = {
  end_behavior: z.literal('release').optional(),
  metadata,
  phases: list(phaseFields).optional(),
  proration_behavior: prorationBehavior,
}
const ending = { invoice_now: flag.default(true), prorate: flag.default(true) }
const path = '/subscription_schedules'
const type = 'subscription_schedule'

export const subscriptionSchedules = [
  route('POST', path, { from_subscription: text }, async ({ tx, input }) => {
    const param = 'from_subscription'
    await requireObject(tx, 'subscription', input.from_subscription, param)
    const subscription = await lockUpToDate(tx, input.from_subscription)
    const { schedule } = subscription
    if (schedule) throw refused(refusals.secondSchedule, { schedule })
    if (isOver(subscription))
      throw invalid('You cannot migrate a subscription that has ended.', { param })
    const made = newSchedule(subscription, tx.now)
    await publish(tx, 'subscription_schedule.created', made)
    await change(tx, 'customer.subscription.updated', subscription, { schedule: made.id })
    return made
  }),
  ...reading(type, path, { customer: text }),
  route('POST', `${path}/:id`, changes, async ({ tx, id, input }) => {
    const { schedule, subscription } = await lockActive(tx, id, 'update')
    const phases = input.phases && (await phasesOf(tx, schedule, subscription, input.phases))
    const { end_date, start_date } = phases?.[0] ?? schedule.current_phase!
    const ended = schedule.phases.filter((phase) => phase.end_date <= start_date)
    const changed = await change(tx, 'subscription_schedule.updated', schedule, {
      current_phase: { end_date, start_date },
      metadata: mergedMetadata(schedule.metadata, input.metadata),
      phases: phases ? [...ended, ...phases] : schedule.phases,
    })
    if (phases) await apply(tx, subscription, phases[0]!, input.proration_behavior)
    return changed
  }),
  route('POST', `${path}/:id/release`, {}, async ({ tx, id }) => {
    const { schedule } = await lockActive(tx, id, 'release')
    return releaseSchedule(tx, schedule)
  }),
  route('POST', `${path}/:id/cancel`, ending, async ({ tx, id, input }) => {
    const { subscription } = await lockActive(tx, id, 'cancel')
    await cancelNow(tx, subscription, input)
    return requireObject(tx, type, id)
  }),
]

/** Locks a schedule and its subscription. Refuses a schedule that has ended. */
async function lockActive(tx: Tx, id: string, action: string) {
  const { subscription } = await requireObject(tx, type, id)
  const upToDate = subscription && (await lockUpToDate(tx, subscription))
  const schedule = await lockObject(tx, type, id)
  if (!upToDate || schedule.status !== 'active')
    throw refused(refusals.endedSchedule, { action, status: schedule.status })
  return { schedule, subscription: upToDate }
}

/** The current phase and those after it, as given. */
async function phasesOf(
  tx: Tx,
  { current_phase }: SubscriptionSchedule,
  subscription: Subscription,
  given: PhaseGiven[],
): Promise<Phase[]> {
  if (given.length > phasesAtMost.most)
    throw invalid(`A schedule can have up to ${phasesAtMost.most} phases.`, { param: 'phases' })
  if (!given.some(({ start_date }) => start_date !== undefined))
    throw refused(refusals.phaseWithoutStart)
  const ended = given.findIndex(({ end_date }) => end_date !== undefined && end_date <= tx.now)
  if (ended >= 0) throw refused(refusals.phaseEnded, { index: String(ended) })
  const { start_date: began } = current_phase!
  if ((given[0]?.start_date ?? began) !== began) throw refused(refusals.phaseMoved)
  const phases: Phase[] = []
  for (const [index, each] of given.entries()) {
    const start = phases.at(-1)?.end_date ?? began
    const phase = await phaseOf(tx, subscription, each, start)
    if (each.start_date !== undefined && each.start_date !== start)
      throw refused({ ...refusals.phaseGap, param: `phases[${index}][start_date]` })
    if (phase.end_date <= phase.start_date)
      throw refused({ ...refusals.phaseGap, param: `phases[${index}][end_date]` })
    phases.push(phase)
  }
  return phases
}

/** A phase that begins at `start`. Without an end it lasts one period. */
async function phaseOf(
  tx: Tx,
  subscription: Subscription,
  { automatic_tax, default_payment_method: card, ...given }: PhaseGiven,
  start: number,
): Promise<Phase> {
  const { currency, customer } = subscription
  if (given.trial_end && given.trial_end !== subscription.trial_end)
    throw refused(refusals.trialOfPhase)
  if (given.currency) refuseCombining({ currency }, given.currency)
  if (card) await cardOf(tx, customer, card, 'default_payment_method')
  const items = await pricedItems(tx, given.items, currency)
  await refuseDiscounts(tx, subscription, given.discounts ?? [], subtotalOf(items, currency))
  const phase = newPhase({
    currency,
    start_date: start,
    end_date: 0,
    items: items.map(({ price, quantity }) => newPhaseItem({ price: price.id, quantity })),
    ...(automatic_tax && { automatic_tax: automaticTaxOf(automatic_tax) }),
    billing_cycle_anchor: given.billing_cycle_anchor ?? null,
    default_payment_method: card ?? null,
    discounts: (given.discounts ?? []).map(newPhaseDiscount),
    metadata: given.metadata ?? {},
    proration_behavior: given.proration_behavior ?? 'create_prorations',
    trial_end: given.trial_end ?? null,
  })
  const { anchor = subscription.billing_cycle_anchor } = await inPhase(tx, subscription, phase)
  const { end } = periodAt(anchor, given.duration ?? items[0]!.price.recurring, start)
  return { ...phase, end_date: given.end_date ?? end }
}

/** Refuses discounts that can't be redeemed. Those that the subscription already has can stay. */
async function refuseDiscounts(
  tx: Tx,
  subscription: Subscription,
  asked: NonNullable<PhaseGiven['discounts']>,
  subtotal: number,
) {
  const own = await discountsOf(tx, subscription.discounts)
  const come = asked.filter((each) => !own.some(({ discount }) => isAsked(discount, each)))
  await discountsAsked(tx, come, { ...subscription, subtotal }, tx.now)
}

/** Gives the subscription what the current phase now says. */
async function apply(
  tx: Tx,
  subscription: Subscription,
  phase: Phase,
  behavior: z.output<typeof prorationBehavior>,
) {
  const { begun, items } = await inPhase(tx, subscription, phase)
  const isChanged = !sameItems(phase.items, phaseItemsOf(subscription))
  if (isChanged) refuseWaitingProrations(behavior)
  const applied = await discountsOfPhase(tx, subscription, phase.discounts, tx.now)
  await saveDiscounts(tx, applied, subscription.id)
  await countRedemptions(tx, applied, subscription.discounts)
  const settled = await change(tx, 'customer.subscription.updated', subscription, {
    ...begun,
    discounts: idsOf(applied),
    metadata: mergedMetadata(subscription.metadata, phase.metadata),
  })
  if (!isChanged) return
  await swap(tx, settled, {
    items,
    at: tx.now,
    prorates: behavior !== 'none',
    restartsAt: undefined,
    ifUnpaid: 'allow_incomplete',
  })
}
