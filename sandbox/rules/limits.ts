/**
 * The rules for requests that Stripe enforces in addition to its SDK's types, each with its source.
 * The sandbox refuses requests by these rules, and tests check every request against them. A "live
 * call" is a published request to Stripe with its answer.
 */

export type Sourced = { source: string }

export const openapi =
  'https://github.com/stripe/openapi/blob/master/latest/openapi.spec3.json, 2026-09-30.endive'
const sdkTypes = 'the types of the SDK, API 2026-10-28.endive'

/** The maximum number of levels in a path of `expand`. */
export const expandLevels = {
  most: 4,
  code: 'property_expansion_max_depth',
  source: 'https://docs.stripe.com/api/expanding_objects; live call, noted 2026-09-11',
}

/**
 * The maximum characters of a value by resource and parameter, with `*` for the index in a list.
 * `usualLength` is for all others.
 */
export const lengths: (Sourced & { of: string; most: number })[] = [
  { of: 'customers phone', most: 20, source: `${openapi}; odoo/odoo#109728` },
  { of: 'customers name', most: 256, source: `${openapi}; sagemathinc/cocalc#4656` },
  { of: 'customers email', most: 512, source: openapi },
  { of: 'customers individual_name', most: 150, source: sdkTypes },
  { of: 'customers business_name', most: 150, source: sdkTypes },
  { of: 'customers invoice_settings[custom_fields][*][name]', most: 40, source: sdkTypes },
  { of: 'customers invoice_settings[custom_fields][*][value]', most: 140, source: sdkTypes },
  { of: 'subscriptions description', most: 500, source: openapi },
  { of: 'setup_intents description', most: 1000, source: openapi },
  { of: 'payment_intents description', most: 1000, source: openapi },
  { of: 'prices lookup_key', most: 200, source: sdkTypes },
  { of: 'products description', most: 40_000, source: openapi },
]
export const usualLength = { most: 5000, source: `${openapi}; stripe/openapi#51` }

export const metadataLimits = {
  keys: 50,
  key: 40,
  value: 500,
  source: 'https://docs.stripe.com/api/metadata',
}

/** How many intervals a price may have at most: three years. */
export const mostIntervals = {
  day: 1095,
  week: 156,
  month: 36,
  year: 3,
  message: "The interval_count for {interval} prices can't be greater than {most}",
  source: `${sdkTypes}; the message: Automattic/woocommerce-payments#3255`,
}

/** The parameters that may stand beside `payment_behavior=pending_if_incomplete` in an update. */
export const besidePending = {
  parameters: `add_invoice_items billing_cycle_anchor cancel_at_period_end discounts expand
    items metadata payment_behavior proration_behavior
    proration_date trial_end trial_from_plan`.split(/\s+/),
  ofItems: ['discounts', 'id', 'metadata', 'price', 'quantity'],
  source: [
    'https://docs.stripe.com/billing/subscriptions/pending-updates-reference',
    'https://docs.stripe.com/changelog/dahlia/2026-05-27/pending-subscription-update-metadata',
    'https://docs.stripe.com/changelog/dahlia/2026-05-27/pending-subscription-updates-discount-and-discounts-properties',
    'https://docs.stripe.com/changelog/dahlia/2026-07-29/item-level-discounts-for-pending-updates',
    'https://docs.stripe.com/changelog/endive/2026-09-30/scheduled-subscription-cancellation',
  ].join('; '),
}

/** A value that the SDK's types allow for creating a subscription, but Stripe only for updating. */
export const onUpdatesAlone = {
  parameter: 'payment_behavior',
  value: 'pending_if_incomplete',
  source: `${sdkTypes}, in its words`,
}

/** When the anchor of a subscription's periods moves to the present: never by itself. */
export const anchorMoves = {
  parameter: 'billing_cycle_anchor',
  type: 'now' as const,
  source:
    'https://docs.stripe.com/billing/subscriptions/billing-mode/compare#reset-the-billing-cycle-anchor: in flexible mode, also if a price of another interval comes; https://docs.stripe.com/billing/subscriptions/billing-cycle#reset-the-billing-period-to-the-current-time: then it is invoiced at once',
}

/** The current and future phases that a subscription schedule may have. */
export const phasesAtMost = {
  most: 10,
  source: 'https://docs.stripe.com/billing/subscriptions/subscription-schedules#restrictions',
}
