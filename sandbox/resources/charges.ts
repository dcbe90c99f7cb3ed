import { z } from 'zod'
import { invalid } from '../rules/errors.ts'
import { reading } from '../api/pages.ts'
import { mergedMetadata, metadata, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { chargeOf, credit, refund } from '../billing/refund.ts'
import { money } from '../objects/currency.ts'
import { lockObject } from '../store/objects.ts'

export const charges = [
  ...reading('charge', '/charges', { customer: text, payment_intent: text }),
  ...reading('dispute', '/disputes', { charge: text, payment_intent: text }),
]

const positive = whole.pipe(z.number().min(1))
const reasons = z.enum(['duplicate', 'fraudulent', 'requested_by_customer'])
const refundFields = {
  amount: positive.optional(),
  charge: text.optional(),
  metadata,
  payment_intent: text.optional(),
  reason: reasons.optional(),
}

export const refunds = [
  route('POST', '/refunds', refundFields, async ({ tx, input }) => {
    const { amount, charge, payment_intent, reason = null } = input
    const id = charge ?? (payment_intent && (await chargeOf(tx, payment_intent)))
    if (!id)
      throw invalid(
        'One of the following params should be provided for this request: payment_intent or charge.',
      )
    return refund(tx, id, {
      reason,
      metadata: mergedMetadata({}, input.metadata),
      ...(amount && { amount }),
    })
  }),
  ...reading('refund', '/refunds', { charge: text, payment_intent: text }),
]

const creditFields = {
  amount: positive,
  invoice: text,
  memo: text.optional(),
  metadata,
  reason: z.enum(['duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory']).optional(),
  refund_amount: positive.optional(),
}

export const creditNotes = [
  route('POST', '/credit_notes', creditFields, async ({ tx, input }) => {
    const { amount, refund_amount = 0, memo = null, reason = null } = input
    const invoice = await lockObject(tx, 'invoice', input.invoice, 'invoice')
    if (amount !== refund_amount) {
      const [whole, back] = [amount, refund_amount].map((each) => money(each, invoice.currency))
      throw invalid(
        `The sum of credit amount, refund amount and out of band amount (${back}) must equal the credit note amount (${whole}).`,
      )
    }
    return credit(tx, invoice, {
      amount,
      memo,
      metadata: mergedMetadata({}, input.metadata),
      reason,
    })
  }),
  ...reading('credit_note', '/credit_notes', { customer: text, invoice: text }),
]
