import { cardError } from '../rules/errors.ts'
import { incompleteFor } from '../objects/due-at.ts'
import { totalsOf, type Bill } from '../objects/invoice.ts'
import { periodOf } from '../objects/subscription.ts'
import type { Subscription } from '../objects/wire.ts'
import { change } from '../events/record.ts'
import { requireObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { collect, draft, dueOf, finalize, type Collected } from './bill.ts'
import { billedChange, type ItemsChange } from './billed-change.ts'
import { discountsOf } from './discounts.ts'
import { prorationLines } from './lines.ts'
import { pendingUpdate, withChange, type Along } from './pending-update.ts'
import { forgetPending } from './void.ts'
import { taxed } from './tax.ts'

export type Swap = Omit<ItemsChange, 'applied'> & {
  ifUnpaid: 'allow_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete'
  along?: Along
}

/** Changes the items, invoices what the change costs now and tries to charge it. */
export async function swap(
  tx: Tx,
  subscription: Subscription,
  { ifUnpaid, along: given = {}, ...asked }: Swap,
): Promise<Subscription> {
  const applied = await discountsOf(tx, given.discounts ?? subscription.discounts, tx.now)
  const { items, lines } = await billedChange(tx, subscription, { ...asked, applied })
  const along = {
    ...given,
    billing_cycle_anchor: asked.trialsUntil ?? asked.restartsAt,
    trial_end: asked.trialsUntil ?? given.trial_end,
  }
  const swapped = withChange(subscription, items, along, tx.now)
  if (!lines.length) return change(tx, 'customer.subscription.updated', subscription, swapped)
  const customer = await requireObject(tx, 'customer', subscription.customer)
  const { total } = totalsOf(await taxed(tx, subscription, customer, lines))
  // Only a change with an amount to charge can be pending.
  const pends =
    ifUnpaid === 'pending_if_incomplete' && dueOf(total, customer, subscription.currency) > 0
  // The period of a paused subscription has ended before.
  const ends = subscription.status === 'paused' ? Infinity : periodOf(subscription).end
  const expires = Math.min(tx.now + incompleteFor, ends)
  const billed = pends
    ? { ...subscription, pending_update: pendingUpdate(items, along, expires) }
    : swapped
  const collected = await invoiceWith(tx, billed, {
    subscription,
    customer,
    lines,
    at: asked.restartsAt ?? asked.at,
  })
  if (ifUnpaid === 'error_if_incomplete') refuseUnpaid(collected)
  return requireObject(tx, 'subscription', subscription.id)
}

/** Gives the customer credit for the unused rest of the period. */
export async function creditRest(tx: Tx, before: Subscription) {
  const subscription = await forgetPending(tx, before)
  const customer = await requireObject(tx, 'customer', subscription.customer)
  const lines = await prorationLines(tx, subscription, [], tx.now, [])
  await invoiceWith(tx, subscription, { subscription, customer, lines, at: tx.now })
}

/** Changes the subscription, invoices the lines and tries to charge the invoice. */
async function invoiceWith(
  tx: Tx,
  changed: Subscription,
  { at, ...bill }: Pick<Bill, 'subscription' | 'customer' | 'lines'> & { at: number },
): Promise<Collected> {
  const period = { start: at, end: at }
  const invoice = await draft(tx, { ...bill, reason: 'subscription_update', period })
  await change(tx, 'customer.subscription.updated', bill.subscription, {
    ...changed,
    latest_invoice: invoice.id,
  })
  return collect(tx, await finalize(tx, invoice))
}

/** Throws if the invoice is not paid, which rolls back the transaction with the attempt. */
export function refuseUnpaid({ intent, invoice }: Collected) {
  if (invoice.status === 'paid') return
  if (intent?.status === 'requires_action') {
    throw cardError({
      code: 'subscription_payment_intent_requires_action',
      message:
        'Payment for this subscription requires additional user action before it can be completed successfully.',
    })
  }
  const {
    code = 'card_declined',
    decline_code,
    message = 'Your card was declined.',
  } = intent?.last_payment_error ?? {}
  throw cardError({ code, message, ...(decline_code ? { decline_code } : {}) })
}
