import { z } from 'zod'
import { invalid, missing, refused } from '../rules/errors.ts'
import { flag, list, mergedMetadata, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { payingMethod } from '../billing/bill.ts'
import { cardOf } from '../billing/attach.ts'
import { changedItems } from '../billing/change-items.ts'
import { idsOf } from '../billing/discounts.ts'
import { becauseOf, cancel } from '../billing/end.ts'
import { forgetPending } from '../billing/void.ts'
import { discountsAsked, redeem, saveDiscounts } from '../billing/redeem.ts'
import { splitPhase } from '../billing/split-phase.ts'
import { creditRest, swap } from '../billing/swap.ts'
import { stopUnpayable, warn } from '../billing/trial.ts'
import { unplaced } from '../billing/tax.ts'
import { lockUpToDate } from '../clock/up-to-date.ts'
import { change, record } from '../events/record.ts'
import { isPlaced } from '../objects/customer.ts'
import { isFree, isOver, resumed, subtotalOf, withEnd } from '../objects/subscription.ts'
import type { Subscription } from '../objects/wire.ts'
import { besidePending } from '../rules/limits.ts'
import { refusals } from '../rules/refusals.ts'
import { requireObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import {
  automaticTaxOf,
  billingCycleAnchor,
  changedItemFields,
  paymentSettings,
  nothingToPayWith,
  prorationBehavior,
  refuseWaitingProrations,
  settingsFields,
  trialEndOf,
  trialSettingsOf,
} from './subscription-fields.ts'

const details = z.strictObject({ comment: text.optional(), feedback: text.optional() }).optional()
const fields = {
  ...settingsFields,
  billing_cycle_anchor: billingCycleAnchor,
  cancellation_details: details,
  items: list(changedItemFields).optional(),
  payment_behavior: z
    .enum(['allow_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
    .optional(),
  proration_behavior: prorationBehavior,
  proration_date: whole.optional(),
}
const resumeFields = {
  billing_cycle_anchor: z.strictObject({ type: z.literal('now') }).optional(),
  payment_behavior: z.enum(['resume_on_payment_attempt', 'resume_on_payment_success']).optional(),
  proration_behavior: prorationBehavior,
  proration_date: whole.optional(),
}
type Input = z.output<z.ZodObject<typeof fields>>

export const subscriptionChanges = [
  route('POST', '/subscriptions/:id', fields, async ({ tx, id, input }) => {
    const subscription = await lockUpToDate(tx, id)
    refuseImpossible(subscription, input)
    if (input.default_payment_method)
      await cardOf(
        tx,
        subscription.customer,
        input.default_payment_method,
        'default_payment_method',
      )
    if (
      input.automatic_tax?.enabled &&
      !isPlaced((await requireObject(tx, 'customer', subscription.customer)).address)
    )
      throw unplaced()
    const { cancel_at_period_end, discounts: _discounts, metadata, ...rest } = input
    const trialsUntil = trialEndOf(input.trial_end, tx.now)
    const endsTrial = subscription.status === 'trialing' && input.trial_end === 'now'
    const restarts =
      input.trial_end === 'now' ||
      (!isFree(subscription) && input.billing_cycle_anchor?.type === 'now')
    const isBilled = input.items !== undefined || restarts || trialsUntil !== undefined
    const waits = isBilled && input.payment_behavior === 'pending_if_incomplete'
    const items = await changedItems(tx, subscription, input.items ?? [], tx.now)
    const redeemed =
      input.discounts === undefined
        ? undefined
        : await discountsAsked(
            tx,
            input.discounts ?? [],
            { ...subscription, subtotal: subtotalOf(items, subscription.currency) },
            tx.now,
          )
    const discounts = redeemed && idsOf(redeemed)
    // A change that waits for its payment redeems its discounts then.
    await (waits ? saveDiscounts(tx, redeemed ?? [], id) : redeem(tx, redeemed ?? [], subscription))
    const before = withSettings(subscription, waits ? rest : input, tx.now)
    const atOnce = waits ? before : { ...before, discounts: discounts ?? before.discounts }
    const settled = await change(tx, 'customer.subscription.updated', subscription, atOnce)
    if (!isBilled) return settled
    const alone = await forgetPending(tx, settled)
    if (endsTrial) {
      const stopped = await stopUnpayable(tx, alone)
      if (stopped) return stopped
      if (!(await payingMethod(tx, alone))) throw nothingToPayWith()
    }
    const prorates = input.proration_behavior !== 'none'
    const swapped = await swap(tx, alone, {
      items,
      at: input.proration_date ?? tx.now,
      prorates,
      restartsAt: restarts ? tx.now : undefined,
      ifUnpaid: input.payment_behavior ?? 'allow_incomplete',
      trialsUntil,
      along: {
        ...(waits && { cancel_at_period_end, discounts, metadata }),
        trial_end: endsTrial ? tx.now : undefined,
      },
    })
    await splitPhase(tx, swapped)
    return warn(tx, swapped)
  }),
  route(
    'DELETE',
    '/subscriptions/:id',
    { cancellation_details: details, invoice_now: flag.optional(), prorate: flag.optional() },
    async ({ tx, id, input }) => {
      const subscription = await lockUpToDate(tx, id)
      if (isOver(subscription)) throw missing('subscription', id)
      return cancelNow(tx, subscription, input)
    },
  ),
  // With a new period, which is invoiced at once.
  route('POST', '/subscriptions/:id/resume', resumeFields, async ({ tx, id, input }) => {
    const subscription = await lockUpToDate(tx, id)
    if (subscription.status !== 'paused') throw refused(refusals.notPaused)
    const waits = input.payment_behavior === 'resume_on_payment_success'
    const alone = await forgetPending(tx, subscription)
    const swapped = await swap(tx, waits ? alone : await goOn(tx, alone), {
      items: alone.items.data,
      at: tx.now,
      prorates: false,
      restartsAt: tx.now,
      ifUnpaid: waits ? 'pending_if_incomplete' : 'allow_incomplete',
    })
    const hasNothingToPay = swapped.status === 'paused' && !swapped.pending_update
    return hasNothingToPay ? goOn(tx, swapped) : swapped
  }),
]

type Ending = Pick<Input, 'cancellation_details'> & { invoice_now?: boolean; prorate?: boolean }

/** Cancels a subscription at once, with credit for the rest of its period if `prorate`. */
export async function cancelNow(tx: Tx, subscription: Subscription, ending: Ending) {
  const { invoice_now, prorate } = ending
  if (prorate && !invoice_now) refuseWaitingProrations(undefined, 'invoice_now')
  if (prorate && subscription.status === 'active') await creditRest(tx, subscription)
  const present = await requireObject(tx, 'subscription', subscription.id)
  return cancel(tx, present, becauseOf('cancellation_requested', said(ending)))
}

async function goOn(tx: Tx, paused: Subscription): Promise<Subscription> {
  const going = await change(tx, 'customer.subscription.updated', paused, resumed(paused))
  await record(tx, 'customer.subscription.resumed', going)
  return going
}

function refuseImpossible(subscription: Subscription, input: Input) {
  const { billing_cycle_anchor, items, payment_behavior, proration_behavior } = input
  const takes = refusals.canceledSubscriptionTakes.parameters
  if (isOver(subscription) && given(input).some((name) => !takes.includes(name)))
    throw refused(refusals.canceledSubscription)
  if (subscription.schedule && input.cancel_at_period_end !== undefined)
    throw refused(refusals.cancelBySchedule, { schedule: subscription.schedule })
  if (payment_behavior === 'pending_if_incomplete') refuseBesidePending(input)
  if (subscription.status === 'paused' && input.trial_end !== undefined)
    throw refused(refusals.trialOfPaused)
  if (!items) return
  if (subscription.status === 'incomplete')
    throw invalid('The items of an incomplete subscription cannot be updated.', { param: 'items' })
  // A new period is invoiced at once, and so are its prorations.
  if (billing_cycle_anchor?.type !== 'now' && input.trial_end === undefined)
    refuseWaitingProrations(proration_behavior)
}

function refuseBesidePending(input: Input) {
  const ofItems = (input.items ?? []).flatMap((item, index) =>
    given(item).flatMap((name) =>
      besidePending.ofItems.includes(name) ? [] : [`items[${index}][${name}]`],
    ),
  )
  const [param] = [
    ...given(input).filter((name) => !besidePending.parameters.includes(name)),
    ...ofItems,
  ]
  if (param)
    throw invalid(
      `The parameter ${param} cannot be used with payment_behavior=pending_if_incomplete.`,
      { param },
    )
}

function given(input: object): string[] {
  return Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

function withSettings(subscription: Subscription, input: Input, now: number): Subscription {
  const {
    default_payment_method = subscription.default_payment_method,
    description = subscription.description,
  } = input
  const settled: Subscription = {
    ...subscription,
    automatic_tax: automaticTaxOf(input.automatic_tax, subscription.automatic_tax),
    cancellation_details: input.cancellation_details
      ? {
          ...becauseOf('cancellation_requested', said(input)),
          reason: subscription.cancellation_details?.reason ?? null,
        }
      : subscription.cancellation_details,
    default_payment_method,
    description,
    metadata: mergedMetadata(subscription.metadata, input.metadata),
    payment_settings: paymentSettings(input.payment_settings, subscription.payment_settings),
    trial_settings: trialSettingsOf(input.trial_settings, subscription.trial_settings),
  }
  return withEnd(settled, input.cancel_at_period_end, now)
}

function said({ cancellation_details }: Pick<Input, 'cancellation_details'>) {
  return {
    comment: cancellation_details?.comment ?? null,
    feedback: cancellation_details?.feedback ?? null,
  }
}
