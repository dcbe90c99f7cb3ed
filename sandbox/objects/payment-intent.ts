import { newId, randomLetters } from './ids.ts'
import { everyMethod } from './payment-method.ts'
import type { PaymentSettings } from './subscription.ts'
import type { Invoice, PaymentIntent } from './wire.ts'

/** The payment intent of an invoice. The sandbox has no other payment intents. */
export function newPaymentIntent(
  invoice: Invoice,
  { save_default_payment_method: keeps, payment_method_types: allowed }: PaymentSettings,
  now: number,
): PaymentIntent {
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomLetters(24)}`,
    confirmation_method: 'automatic',
    created: now,
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description:
      invoice.billing_reason === 'subscription_create'
        ? 'Subscription creation'
        : 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: allowed ?? everyMethod,
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: keeps === 'on_subscription' ? 'off_session' : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
    $hidden: { invoice: invoice.id, returnUrl: null },
  }
}
