import { newObject, nulls } from './new-object.ts'
import { periodOf } from './subscription.ts'
import type { Phase, PhaseDiscount, PhaseItem, Subscription, SubscriptionSchedule } from './wire.ts'

/** A schedule whose only phase is the subscription's current period. */
export function newSchedule(subscription: Subscription, now: number): SubscriptionSchedule {
  const { start: start_date, end: end_date } = periodOf(subscription)
  const { billing_mode, currency, customer, test_clock } = subscription
  return {
    ...newObject('subscription_schedule', 'sub_sched', now),
    ...nulls(
      'application canceled_at completed_at customer_account released_at released_subscription',
    ),
    billing_mode,
    current_phase: { end_date, start_date },
    customer,
    default_settings: {
      ...nulls('application_fee_percent billing_thresholds on_behalf_of transfer_data'),
      automatic_tax: subscription.automatic_tax,
      billing_cycle_anchor: 'automatic',
      collection_method: 'charge_automatically',
      default_payment_method: subscription.default_payment_method,
      description: subscription.description,
      invoice_settings: {
        ...nulls('account_tax_ids custom_fields days_until_due description footer'),
        issuer: { type: 'self' },
      },
    },
    end_behavior: 'release',
    metadata: {},
    pause_schedules: [],
    phases: [
      newPhase({
        currency,
        discounts: subscription.discounts.map((id) => newPhaseDiscount({ discount: id })),
        end_date,
        items: phaseItemsOf(subscription),
        start_date,
        trial_end: subscription.status === 'trialing' ? subscription.trial_end : null,
      }),
    ],
    status: 'active',
    subscription: subscription.id,
    test_clock,
  }
}

export type NewPhase = Pick<Phase, 'currency' | 'end_date' | 'items' | 'start_date'> &
  Partial<Phase>

export function newPhase(given: NewPhase): Phase {
  return {
    add_invoice_items: [],
    ...nulls(
      'application_fee_percent billing_cycle_anchor billing_thresholds collection_method',
      'default_payment_method description invoice_settings on_behalf_of transfer_data trial_end',
    ),
    default_tax_rates: [],
    discounts: [],
    metadata: {},
    proration_behavior: 'create_prorations',
    ...given,
  }
}

export function newPhaseDiscount(given: {
  [Kind in keyof PhaseDiscount]?: string | undefined
}): PhaseDiscount {
  const { coupon = null, discount = null, promotion_code = null } = given
  return { coupon, discount, promotion_code }
}

export function newPhaseItem({
  price,
  quantity,
}: Pick<PhaseItem, 'price' | 'quantity'>): PhaseItem {
  return {
    billing_thresholds: null,
    discounts: [],
    metadata: {},
    plan: price,
    price,
    quantity,
    tax_rates: [],
  }
}

/** The items of the subscription as those of a phase. */
export function phaseItemsOf({ items }: Subscription): PhaseItem[] {
  return items.data.map(({ price, quantity }) => newPhaseItem({ price: price.id, quantity }))
}

export function sameItems(one: PhaseItem[], other: PhaseItem[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ price, quantity }, index) => {
      const beside = other[index]!
      return price === beside.price && quantity === beside.quantity
    })
  )
}
