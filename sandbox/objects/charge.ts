import { week } from './due-at.ts'
import { newId, newObject, nulls } from './new-object.ts'
import type { Charge, Dispute, PaymentIntent, PaymentMethod, Refund } from './wire.ts'

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
    display_brand: _brand,
    generated_from: _source,
    three_d_secure_usage: _usage,
    networks,
    ...same
  } = card
  return {
    type,
    card: {
      ...same,
      amount_authorized: amount,
      ...nulls(
        'authorization_code electronic_commerce_indicator installments mandate',
        'network_transaction_id three_d_secure transaction_link_id wallet',
      ),
      extended_authorization: { status: 'disabled' },
      fingerprint: card.fingerprint ?? null,
      incremental_authorization: { status: 'unavailable' },
      multicapture: { status: 'unavailable' },
      network: networks?.available[0] ?? null,
      network_token: { used: false },
      overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
    },
  }
}

export type NewRefund = Pick<Refund, 'amount' | 'metadata' | 'reason'>

/** A refund of a charge to its card. */
export function newRefund(charge: Charge, given: NewRefund, now: number): Refund {
  return {
    id: newId('re'),
    object: 'refund',
    ...nulls(
      'balance_transaction customer_account receipt_number source_transfer_reversal',
      'transfer_reversal',
    ),
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    status: 'succeeded',
    ...given,
  }
}

/** A dispute of the amount of a charge that was not refunded. */
export function newDispute(charge: Charge, now: number): Dispute {
  const card = charge.payment_method_details?.card
  const brand = card?.brand ?? 'unknown'
  return {
    ...newObject('dispute', 'du', now),
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      ...nulls(
        'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure',
        'cancellation_rebuttal customer_communication customer_email_address customer_name',
        'customer_purchase_ip customer_signature duplicate_charge_documentation',
        'duplicate_charge_explanation duplicate_charge_id product_description receipt',
        'refund_policy refund_policy_disclosure refund_refusal_explanation service_date',
        'service_documentation shipping_address shipping_carrier shipping_date',
        'shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text',
      ),
      enhanced_evidence: {},
    },
    evidence_details: {
      due_by: now + week,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: {
        brand,
        case_type: 'chargeback',
        network: card?.network ?? brand,
        network_reason_code: '10.4',
      },
      type: 'card',
    },
    reason: 'fraudulent',
    status: 'needs_response',
  }
}
