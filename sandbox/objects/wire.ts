import type Stripe from 'stripe'

/**
 * The types below are Stripe's objects as the sandbox stores them. They have ids where the SDK's
 * types also allow expanded objects, and strings where the SDK has decimals. `$hidden` has data
 * that Stripe's answers never contain.
 */
export type With<T, Changes> = Omit<T, keyof Changes> & Changes
type Decimals<K extends string> = Record<K, string | null>

export type Account = Stripe.Account
export type Product = Stripe.Product
export type Plan = With<Stripe.Plan, Decimals<'amount_decimal'>>
export type Interval = 'day' | 'week' | 'month' | 'year'
export type Recurring = { interval: Interval; interval_count: number }
export type CurrencyOption = With<
  Stripe.Price.CurrencyOptions,
  { unit_amount: number } & Decimals<'unit_amount_decimal'>
>
export type Price = With<
  Stripe.Price,
  {
    product: string
    currency_options?: Record<string, CurrencyOption>
    recurring: With<Stripe.Price.Recurring, Recurring>
    unit_amount: number
  } & Decimals<'unit_amount_decimal'>
>
export type Customer = With<Stripe.Customer, { test_clock: string | null }>
export type TaxId = With<Stripe.TaxId, { customer: string }>
export type TestClock = Stripe.TestHelpers.TestClock
export type WebhookEndpoint = Stripe.WebhookEndpoint
export type PaymentMethod = With<
  Stripe.PaymentMethod,
  { customer: string | null; type: 'card' | 'link' | 'us_bank_account' }
> & { $hidden: { number: string; authenticated: boolean; detached?: boolean } }
export type SetupIntent = With<
  Stripe.SetupIntent,
  { customer: string | null; payment_method: string | null; client_secret: string }
> & { $hidden: { returnUrl: string | null } }
export type PaymentIntent = With<
  Stripe.PaymentIntent,
  {
    customer: string
    payment_method: string | null
    client_secret: string
    latest_charge: string | null
  }
> & { $hidden: { invoice: string; returnUrl: string | null; settlesAt?: number } }
export type Intent = PaymentIntent | SetupIntent
export type Charge = With<
  Stripe.Charge,
  { customer: string; payment_intent: string; payment_method: string }
>
export type Refund = With<
  Stripe.Refund,
  { customer: string; charge: string; payment_intent: string }
>
export type Dispute = With<Stripe.Dispute, { charge: string; payment_intent: string }>
export type Coupon = With<
  Stripe.Coupon,
  { currency_options?: Record<string, { amount_off: number }>; duration_in_months: number | null }
>
export type PromotionCode = With<
  Stripe.PromotionCode,
  {
    code: string
    customer: string | null
    promotion: { coupon: string; type: 'coupon' }
  }
> & {
  /** The time at which it or its coupon ends. */
  $hidden?: { until: number | null }
}
export type Discount = With<
  Stripe.Discount,
  {
    customer: string
    promotion_code: string | null
    source: { coupon: string; type: 'coupon' }
  }
>
export type CreditNoteLine = With<Stripe.CreditNoteLineItem, Decimals<'unit_amount_decimal'>>
export type CreditNote = With<
  Stripe.CreditNote,
  { customer: string; invoice: string; lines: List<CreditNoteLine> }
>
export type SubscriptionItem = With<
  Stripe.SubscriptionItem,
  { price: Price; plan: Plan; quantity: number }
>
export type Subscription = With<
  Stripe.Subscription,
  {
    customer: string
    test_clock: string | null
    default_payment_method: string | null
    discounts: string[]
    latest_invoice: string | null
    schedule: string | null
    status:
      | 'incomplete'
      | 'incomplete_expired'
      | 'trialing'
      | 'active'
      | 'past_due'
      | 'paused'
      | 'canceled'
    items: List<SubscriptionItem>
    pending_update: With<
      Stripe.Subscription.PendingUpdate,
      { discounts: string[] | null; subscription_items: SubscriptionItem[] }
    > | null
  }
> & {
  /** Whether the coming end of its trial has been told. */
  $hidden?: { warned: boolean }
}
export type PhaseItem = With<
  Stripe.SubscriptionSchedule.Phase.Item,
  { plan: string; price: string; quantity: number }
>
export type Phase = With<
  Stripe.SubscriptionSchedule.Phase,
  {
    default_payment_method: string | null
    discounts: PhaseDiscount[]
    items: PhaseItem[]
    proration_behavior: ProrationBehavior
  }
>
export type PhaseDiscount = Record<'coupon' | 'discount' | 'promotion_code', string | null>
export type ProrationBehavior = 'always_invoice' | 'create_prorations' | 'none'
export type SubscriptionSchedule = With<
  Stripe.SubscriptionSchedule,
  { customer: string; phases: Phase[]; subscription: string | null; test_clock: string | null }
>
export type InvoicePricing = With<Stripe.InvoiceLineItem.Pricing, Decimals<'unit_amount_decimal'>>
type DiscountAmount = { amount: number; discount: string }
export type InvoiceLine = With<
  Stripe.InvoiceLineItem,
  {
    discount_amounts: DiscountAmount[]
    discounts: string[]
    pretax_credit_amounts: (DiscountAmount & { type: string })[]
    pricing: InvoicePricing
  } & Decimals<'quantity_decimal'>
>
export type InvoicePayment = With<Stripe.InvoicePayment, { invoice: string }>
export type Invoice = With<
  Stripe.Invoice,
  {
    customer: string
    discounts: string[]
    lines: List<InvoiceLine>
    payments: List<InvoicePayment>
    confirmation_secret: Stripe.Invoice.ConfirmationSecret | null
    parent: Stripe.Invoice.Parent & {
      subscription_details: Stripe.Invoice.Parent.SubscriptionDetails & { subscription: string }
    }
  }
>
export type Event = With<
  Stripe.EventBase,
  { type: EventType; data: { object: object; previous_attributes?: object } }
>
export type List<T> = { object: 'list'; data: T[]; has_more: boolean; url: string }

export type StoredObjects = {
  product: Product
  price: Price
  customer: Customer
  tax_id: TaxId
  payment_method: PaymentMethod
  setup_intent: SetupIntent
  payment_intent: PaymentIntent
  charge: Charge
  coupon: Coupon
  promotion_code: PromotionCode
  discount: Discount
  refund: Refund
  dispute: Dispute
  credit_note: CreditNote
  subscription: Subscription
  subscription_schedule: SubscriptionSchedule
  invoice: Invoice
  event: Event
  webhook_endpoint: WebhookEndpoint
  'test_helpers.test_clock': TestClock
}
export type StoredType = keyof StoredObjects
export type Stored = StoredObjects[StoredType]

export type EventType =
  | `customer.subscription.${'created' | 'updated' | 'deleted' | 'paused' | 'pending_update_applied' | 'pending_update_expired' | 'resumed' | 'trial_will_end'}`
  | `invoice.${'created' | 'finalized' | 'finalization_failed' | 'updated' | 'paid' | 'payment_failed' | 'payment_action_required' | 'voided' | 'marked_uncollectible'}`
  | `charge.${'refunded' | 'dispute.created' | 'dispute.updated' | 'dispute.closed'}`
  | `refund.${'created' | 'updated' | 'failed'}`
  | 'credit_note.created'
  | `setup_intent.${'succeeded' | 'canceled'}`
  | `payment_method.${'attached' | 'detached'}`
  | `customer.${'updated' | 'deleted' | 'tax_id.created' | 'tax_id.deleted'}`
  | `subscription_schedule.${'aborted' | 'canceled' | 'created' | 'released' | 'updated'}`
  | 'coupon.created'
  | `promotion_code.${'created' | 'updated'}`
  | 'price.created'
  | `product.${'created' | 'updated'}`
