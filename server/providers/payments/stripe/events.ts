import type Stripe from 'stripe'

/**
 * At most 20, because one request for undelivered events can't ask for more types. Other events
 * about refunds, and all about credit notes, would add nothing.
 */
export const events = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
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
