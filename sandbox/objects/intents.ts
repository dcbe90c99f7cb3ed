import { newObject, nulls, randomLetters } from './new-object.ts'
import { everyMethod } from './payment-method.ts'
import type { PaymentSettings } from './subscription.ts'
import type { Invoice, PaymentIntent, SetupIntent } from './wire.ts'

/** The payment intent of an invoice. The sandbox has no other payment intents. */
export function newPaymentIntent(
  invoice: Invoice,
  { save_default_payment_method: keeps, payment_method_types: allowed }: PaymentSettings,
  now: number,
): PaymentIntent {
  const base = newObject('payment_intent', 'pi', now)
  return {
    ...base,
    ...nulls(
      'allowed_payment_method_types application application_fee_amount automatic_payment_methods',
      'canceled_at cancellation_reason customer_account excluded_payment_method_types',
      'last_payment_error latest_charge next_action on_behalf_of payment_method',
      'payment_method_configuration_details payment_record processing receipt_email review',
      'shipping source statement_descriptor statement_descriptor_suffix transfer_data',
      'transfer_group',
    ),
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    capture_method: 'automatic',
    client_secret: `${base.id}_secret_${randomLetters(24)}`,
    confirmation_method: 'automatic',
    currency: invoice.currency,
    customer: invoice.customer,
    description:
      invoice.billing_reason === 'subscription_create'
        ? 'Subscription creation'
        : 'Subscription update',
    managed_payments: { enabled: false },
    metadata: {},
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: allowed ?? everyMethod,
    setup_future_usage: keeps === 'on_subscription' ? 'off_session' : null,
    status: 'requires_payment_method',
    $hidden: { invoice: invoice.id, returnUrl: null },
  }
}

export type NewSetupIntent = Pick<SetupIntent, 'customer' | 'allowed_payment_method_types'> &
  Partial<SetupIntent>

export function newSetupIntent(given: NewSetupIntent, now: number): SetupIntent {
  const base = newObject('setup_intent', 'seti', now)
  return {
    ...base,
    ...nulls(
      'application cancellation_reason customer_account description excluded_payment_method_types',
      'flow_directions last_setup_error latest_attempt mandate next_action on_behalf_of',
      'payment_method payment_method_configuration_details single_use_mandate',
    ),
    automatic_payment_methods: given.allowed_payment_method_types
      ? null
      : { allow_redirects: 'always', enabled: true },
    client_secret: `${base.id}_secret_${randomLetters(24)}`,
    metadata: {},
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: given.allowed_payment_method_types ?? everyMethod,
    status: 'requires_payment_method',
    usage: 'off_session',
    $hidden: { returnUrl: null },
    ...given,
  }
}
