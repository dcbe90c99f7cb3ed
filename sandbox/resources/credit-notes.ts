import { z } from 'zod'
import { invalid } from '../rules/errors.ts'
import { reading } from '../api/pages.ts'
import { mergedMetadata, metadata, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { money } from '../objects/currency.ts'
import { credit } from '../billing/refund.ts'
import { lockObject } from '../store/objects.ts'

const some = whole.pipe(z.number().min(1))
const fields = {
  amount: some,
  invoice: text,
  memo: text.optional(),
  metadata,
  reason: z.enum(['duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory']).optional(),
  refund_amount: some.optional(),
}

export const creditNotes = [
  route('POST', '/credit_notes', fields, async ({ tx, input }) => {
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
