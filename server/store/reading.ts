import { sql, type SQL } from 'drizzle-orm'

/** What is known when a reading from the provider begins. */
export type Begun = {
  /** Readings are written in the order of their tickets. */
  ticket: number
  /** Whether the subscription that is paid for has an open invoice here. */
  mayOweMore: boolean
}

/** The columns of a `Begun`. */
export const reading = (providerSubscriptionId: string | SQL) => sql`
  nextval('sync_tickets') ticket, ${isOwing(providerSubscriptionId)} "mayOweMore"`

export const isOwing = (providerSubscriptionId: string | SQL) => sql`exists (
  select from invoices join subscriptions s on s.id = invoices.subscription_id
  where s.stripe_subscription_id = ${providerSubscriptionId} and invoices.status = 'open')`
