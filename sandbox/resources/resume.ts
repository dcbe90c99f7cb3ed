import { z } from 'zod'
import { refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { forgetPending } from '../billing/void.ts'
import { swap } from '../billing/swap.ts'
import { lockUpToDate } from '../clock/up-to-date.ts'
import { change, record } from '../events/record.ts'
import { resumed } from '../objects/subscription.ts'
import type { Subscription } from '../objects/wire.ts'
import type { Tx } from '../store/tx.ts'
import { prorationBehavior } from './subscription-fields.ts'

const fields = {
  billing_cycle_anchor: z.strictObject({ type: z.literal('now') }).optional(),
  payment_behavior: z.enum(['resume_on_payment_attempt', 'resume_on_payment_success']).optional(),
  proration_behavior: prorationBehavior,
  proration_date: whole.optional(),
}

/** Resumes a paused subscription with a new period, which is invoiced at once. */
export const resume = [
  route('POST', '/subscriptions/:id/resume', fields, async ({ tx, id, input }) => {
    const subscription = await lockUpToDate(tx, id)
    if (subscription.status !== 'paused') throw refused(refusals.notPaused)
    const waits = input.payment_behavior === 'resume_on_payment_success'
    const alone = await forgetPending(tx, subscription)
    const swapped = await swap(tx, waits ? alone : await goOn(tx, alone), {
      items: alone.items.data,
      at: tx.now,
      prorates: false,
      restartsAt: tx.now,
      ifUnpaid: waits ? 'pending_if_incomplete' : 'allow_incomplete',
    })
    const isFree = swapped.status === 'paused' && !swapped.pending_update
    return isFree ? goOn(tx, swapped) : swapped
  }),
]

async function goOn(tx: Tx, paused: Subscription): Promise<Subscription> {
  const going = await change(tx, 'customer.subscription.updated', paused, resumed(paused))
  await record(tx, 'customer.subscription.resumed', going)
  return going
}
