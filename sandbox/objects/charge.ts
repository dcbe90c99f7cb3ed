import { newObject, nulls } from './new-object.ts'
import type { Charge, PaymentIntent, PaymentMethod } from './wire.ts'

/** A successful charge of the intent's amount to a card. */
export function newCharge(intent: PaymentIntent, method: PaymentMethod, now: number): Charge {
  return {
    ...newObject('charge', 'ch', now),
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    ...nulls(
      'application application_fee application_fee_amount balance_transaction',
      'calculated_statement_descriptor failure_balance_transaction failure_code failure_message',
      'on_behalf_of receipt_email receipt_number receipt_url review shipping source',
      'source_transfer statement_descriptor statement_descriptor_suffix transfer_data',
      'transfer_group',
    ),
    billing_details: method.billing_details,
    captured: true,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    fraud_details: {},
    metadata: {},
    outcome: {
      ...nulls('advice_code network_advice_code network_decline_code reason'),
      network_status: 'approved_by_network',
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method, intent.amount),
    refunded: false,
    status: 'succeeded',
  }
}

function detailsOf(
  { type, card }: PaymentMethod,
  amount: number,
): Charge['payment_method_details'] {
  if (!card) return { type, ...(type === 'link' && { link: { country: null } }) }
  const {
    brand,
    checks,
    country,
    exp_month,
    exp_year,
    fingerprint,
    funding,
    last4,
    networks,
    regulated_status,
  } = card
  return {
    type,
    card: {
      amount_authorized: amount,
      ...nulls(
        'authorization_code electronic_commerce_indicator installments mandate',
        'network_transaction_id three_d_secure transaction_link_id wallet',
      ),
      brand,
      checks,
      country,
      exp_month,
      exp_year,
      extended_authorization: { status: 'disabled' },
      fingerprint: fingerprint ?? null,
      funding,
      incremental_authorization: { status: 'unavailable' },
      last4,
      multicapture: { status: 'unavailable' },
      network: networks?.available[0] ?? null,
      network_token: { used: false },
      overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
      regulated_status,
    },
  }
}
