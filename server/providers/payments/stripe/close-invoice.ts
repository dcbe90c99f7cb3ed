import type Stripe from 'stripe'
import { isRefusal } from '../../../platform/refusal.ts'
import type { Unpaid } from '../payments.ts'
import { found } from './asked.ts'

type Left = Pick<Stripe.Invoice, 'id' | 'status' | 'billing_reason'>

/** Nothing of it is collected any more. Canceling stops what is finalized, and a draft would be finalized and charged all the same. */
export async function closeInvoice(
  stripe: Stripe,
  { id, status, billing_reason }: Left,
  unpaid: Unpaid,
) {
  // What was made for a purchase or a change that came to nothing was never owed.
  const wasOwed =
    billing_reason !== 'subscription_create' && billing_reason !== 'subscription_update'
  if (status === 'draft') await unlessFinished(stripe.invoices.update(id, { auto_advance: false }))
  else if (status === 'open')
    await unlessFinished(
      wasOwed && unpaid === 'uncollectible'
        ? stripe.invoices.markUncollectible(id)
        : stripe.invoices.voidInvoice(id),
    )
}

export async function voidInvoice(stripe: Stripe, id: string) {
  await unlessFinished(stripe.invoices.voidInvoice(id))
}

/** One that was paid or voided meanwhile stays so. */
async function unlessFinished(change: Promise<Stripe.Invoice>) {
  try {
    await found(change)
  } catch (error) {
    if (!isRefusal(error, 'notOverdue')) throw error
  }
}
