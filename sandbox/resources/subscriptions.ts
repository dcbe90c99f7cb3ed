import { z } from 'zod'
import { refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { currency, list, mergedMetadata, text, whole } from '../api/params.ts'
import { onTestClock, reading } from '../api/pages.ts'
import { route } from '../api/route.ts'
import { cardOf } from '../billing/attach.ts'
import { waitForCardholder } from '../billing/attempt.ts'
import { pricedItems } from '../billing/change-items.ts'
import { discountsAsked } from '../billing/redeem.ts'
import { start } from '../billing/start.ts'
import { refuseUnpaid } from '../billing/swap.ts'
import { asksCardholder } from '../cards/behaviour.ts'
import { defaultCardOf, refuseCombining } from '../objects/customer.ts'
import { subtotalOf } from '../objects/subscription.ts'
import type { PaymentMethod, Subscription } from '../objects/wire.ts'
import { newSetupIntent } from '../objects/intents.ts'
import { day } from '../objects/due-at.ts'
import type { Tx } from '../store/tx.ts'
import { lockObject, save } from '../store/objects.ts'
import { refuseForbidden } from './other-methods.ts'
import {
  automaticTaxOf,
  itemFields,
  nothingToPayWith,
  paymentSettings,
  settingsFields,
  trialEndOf,
  trialSettingsOf,
  type trialEnd,
} from './subscription-fields.ts'

const fields = {
  ...settingsFields,
  currency: currency.optional(),
  customer: text,
  items: list(z.strictObject({ ...itemFields, price: text })),
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])
    .optional(),
  trial_period_days: whole.pipe(z.number().min(1)).optional(),
}

const statuses =
  'active past_due unpaid paused trialing canceled incomplete incomplete_expired all ended'.split(
    ' ',
  )
const filters = {
  customer: text,
  price: {
    of: text,
    where: (price: string) =>
      `body @> jsonb_build_object('items', jsonb_build_object('data', jsonb_build_array(jsonb_build_object('price', jsonb_build_object('id', ${price}::text)))))`,
  },
  status: { of: z.enum(statuses), where: (status: string) => `body->>'status' = any(${status})` },
  test_clock: onTestClock,
}

export const subscriptions = [
  route('POST', '/subscriptions', fields, async ({ tx, input }) => {
    const customer = await lockObject(tx, 'customer', input.customer, 'customer')
    if (input.currency) refuseCombining(customer, input.currency)
    const items = await pricedItems(tx, input.items, input.currency ?? customer.currency ?? null)
    const card = input.default_payment_method ?? null
    const settings = paymentSettings(input.payment_settings, null)
    const method = card && (await cardOf(tx, customer.id, card, 'default_payment_method'))
    if (method) refuseForbidden(method, settings.payment_method_types, 'default_payment_method')
    const waits = input.payment_behavior === 'default_incomplete'
    const currency = input.currency ?? customer.currency ?? items[0]!.price.currency
    const buyer = {
      currency,
      customer: customer.id,
      discounts: [],
      subtotal: subtotalOf(items, currency),
    }
    const applied = await discountsAsked(tx, input.discounts ?? [], buyer, tx.now)
    const given = {
      automatic_tax: automaticTaxOf(input.automatic_tax),
      items,
      cancel_at_period_end: input.cancel_at_period_end ?? false,
      currency,
      customer: customer.id,
      default_payment_method: card,
      description: input.description ?? null,
      metadata: mergedMetadata({}, input.metadata),
      payment_settings: settings,
      test_clock: customer.test_clock,
      trial_end: trialOf(input, tx.now),
      trial_settings: trialSettingsOf(input.trial_settings),
    }
    const started = await start(tx, customer, given, { waits, applied })
    // Only the final invoice shows whether the customer's credit pays for it.
    if (!waits && !card && !defaultCardOf(customer) && started.invoice.amount_due > 0)
      throw nothingToPayWith()
    if (input.payment_behavior === 'error_if_incomplete') refuseUnpaid(started)
    const { subscription } = started
    if (subscription.status !== 'trialing') return subscription
    if (method && asksCardholder(method)) return withSetup(tx, subscription, method)
    return card || defaultCardOf(customer) ? subscription : withSetup(tx, subscription)
  }),
  ...reading('subscription', '/subscriptions', filters, (given) => ({
    // Subscriptions on a test clock are listed only with a filter by that clock or by customer.
    ...(!given['customer'] && { test_clock: null }),
    ...given,
    status: statusesMeant(given['status']),
  })),
]

type Trial = { trial_end?: z.output<typeof trialEnd>; trial_period_days?: number | undefined }

/** The time at which the trial ends, or null without a trial. */
function trialOf({ trial_end, trial_period_days: days }: Trial, now: number): number | null {
  if (trial_end !== undefined && days !== undefined) throw refused(refusals.twoTrials)
  return trialEndOf(trial_end, now) ?? (days === undefined ? null : now + days * day)
}

/**
 * The subscription with an intent to set up what it will charge after its trial: any card, or this
 * one, about which the bank asks its holder.
 */
async function withSetup(
  tx: Tx,
  subscription: Subscription,
  asked?: PaymentMethod,
): Promise<Subscription> {
  const { customer, payment_settings } = subscription
  const allowed_payment_method_types = payment_settings?.payment_method_types ?? null
  const made = newSetupIntent({ allowed_payment_method_types, customer }, tx.now)
  const intent = await save(
    tx,
    asked ? waitForCardholder(tx, { ...made, payment_method: asked.id }) : made,
  )
  return save(tx, { ...subscription, pending_setup_intent: intent.id })
}

/** The statuses to list. Without a filter these are all but `canceled`. */
function statusesMeant(status: unknown) {
  if (status === 'ended') return ['canceled', 'incomplete_expired']
  if (status === 'all') return statuses
  return status ? [status] : statuses.filter((each) => each !== 'canceled')
}
