import { z } from 'zod'
import { invalid } from '../rules/errors.ts'
import { reading } from '../api/pages.ts'
import { mergedMetadata, metadata, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { chargeOf, refund } from '../billing/refund.ts'

const reasons = z.enum(['duplicate', 'fraudulent', 'requested_by_customer'])
const fields = {
  amount: whole.pipe(z.number().min(1)).optional(),
  charge: text.optional(),
  metadata,
  payment_intent: text.optional(),
  reason: reasons.optional(),
}

export const refunds = [
  route('POST', '/refunds', fields, async ({ tx, input }) => {
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
