import type { Invoice, Stored, Subscription } from './wire.ts'

export const hour = 3600
export const day = 24 * hour
export const week = 7 * day
export const incompleteFor = 23 * hour

/** The time at which the clock must do work on this object, or null. It depends on its fields. */
export function dueAt(object: Stored): number | null {
  if (object.object === 'subscription') return ofSubscription(object)
  if (object.object === 'invoice') return ofInvoice(object)
  if (object.object === 'subscription_schedule')
    return object.status === 'active' ? (object.current_phase?.end_date ?? null) : null
  if (object.object === 'payment_intent')
    return object.status === 'processing' ? (object.$hidden.settlesAt ?? null) : null
  return null
}

function ofSubscription(subscription: Subscription): number | null {
  if (subscription.status === 'incomplete') return subscription.created + incompleteFor
  const pendingUntil = subscription.pending_update?.expires_at ?? Infinity
  if (subscription.status === 'paused') return pendingUntil === Infinity ? null : pendingUntil
  if (!['active', 'past_due', 'trialing'].includes(subscription.status)) return null
  const periodEnds = Math.min(...subscription.items.data.map((item) => item.current_period_end))
  const warns = hasTrialWarning(subscription) ? trialWarnsAt(subscription) : Infinity
  return Math.min(periodEnds, pendingUntil, warns)
}

/** Whether the subscription is in a trial whose end has not been told. */
export function hasTrialWarning({ status, $hidden }: Subscription): boolean {
  return status === 'trialing' && !$hidden?.warned
}

export function trialWarnsAt({ trial_end }: Subscription): number {
  return (trial_end ?? Infinity) - 3 * day
}

function ofInvoice(invoice: Invoice): number | null {
  if (!invoice.auto_advance) return null
  if (invoice.status === 'draft') return invoice.automatically_finalizes_at
  return invoice.status === 'open' ? invoice.next_payment_attempt : null
}
