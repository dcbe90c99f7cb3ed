import type Stripe from 'stripe'

/** Other events about refunds and schedules, and all about credit notes, would add nothing. */
export const events = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.canceled',
  'invoice.created',
  'invoice.finalized',
  'invoice.finalization_failed',
  'invoice.updated',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'refund.failed',
  'payment_method.attached',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[]

/** One request for events can ask for at most 20 types. */
export const eventGroups: string[][] = [events.slice(0, 20), events.slice(20)]
