import { week } from './due-at.ts'
import { newObject, nulls } from './new-object.ts'
import type { Charge, Dispute } from './wire.ts'

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
