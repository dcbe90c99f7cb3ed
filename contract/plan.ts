import type { MessageKey } from '#locales/keys.ts'
import type { CurrencyCode } from './currencies.ts'

export type Frequency = 'day' | 'week' | 'month' | 'year'

/** A period of charging, such as every 3 months. */
export type Interval = { frequency: Frequency; every: number }

/** Amounts in minor units by currency. The first is the one that buyers see unless they choose. */
export type Amounts = { readonly [Currency in CurrencyCode]?: number }

/** When something takes effect: at once, when the paid period ends, or as its owner chooses. */
export type Timing = 'now' | 'atPeriodEnd' | 'choice'

export type At = 'now' | 'periodEnd'

/** What config/billing.ts says. */
export type Billing = {
  /** When a canceled project ends. */
  cancel: Timing
  /** When a change to a plan with a lower price a day, or to a free plan, takes effect. */
  smallerPlan: Timing
  /** Whether a project that ends before its paid period does gets the rest back. */
  refundUnused: boolean
  /** Whether buyers can enter promotion codes, which the operator makes at the provider. */
  promotionCodes: boolean
  /**
   * After how many days the members of a project with an overdue payment may only look. Shorter
   * than the provider's retries; left out: never.
   */
  grace?: number
}

/** What config/subscriptions.ts says. */
export type Subscriptions = {
  /** `offered`: the new owner has to accept, and the former one pays until then. */
  ownership: 'given' | 'offered'
}

/** An entry of config/plans.ts. */
export type Plan = {
  id: string
  titleKey: MessageKey
  /** A line each, in which `{{seats}}` and the names of `limits` are the numbers below. */
  descriptionKeys: readonly MessageKey[]
  /** Whole units of `currency` per `frequency`; 0 for a free plan. */
  price: number
  /**
   * Stripe's prices of this plan, as lookup keys (the same in test and live mode) or ids.
   * New subscriptions pay the first; the others are former prices that some still pay.
   */
  priceIds: readonly string[]
  /** The sign of `currencyCode`. */
  currency: string
  /** ISO 4217, lower case, as the payment provider wants it. */
  currencyCode: CurrencyCode
  frequency: Frequency
  /** How many times `frequency` one payment is for; 1 if it is left out. */
  every?: number
  /** What the same price is in further currencies. */
  amounts?: Amounts
  /** Further intervals that the plan is sold for. */
  prices?: readonly FurtherPrice[]
  /** Days without a charge for who has not had a trial. `later`: it begins without a card. */
  trial?: { days: number; card: 'required' | 'later' }
  /** Seats for members and pending invites together. */
  seats: number
  /** What the plan includes, and how much it allows, by the names that modules give. */
  features?: readonly string[] | 'all'
  limits?: Record<string, number>
  popular: boolean
  free: boolean
  /** Nobody can buy the plan any more. Subscriptions that have it keep it. */
  legacy: boolean
}

export type FurtherPrice = {
  frequency: Frequency
  every?: number
  amounts: Amounts
  /** As the plan's. */
  priceIds: readonly string[]
}
