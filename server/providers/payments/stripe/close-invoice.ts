import type Stripe from 'stripe'
import { isRefusal } from '../../../refusal.ts'
import { asked, found } from './asked.ts'

/** Nothing of it is collected any more. Canceling stops what is finalized, and a draft would be finalized and charged all the same. */
export async function closeInvoice(stripe: Stripe, { id, status }: Pick<Stripe.Invoice, 'id' | 'status'>) {
  if (status === 'draft') await asked(stripe.invoices.update(id, { auto_advance: false }))
  else if (status === 'open') await voidInvoice(stripe, id)
}

/** One that was paid or voided meanwhile stays so. */
export async function voidInvoice(stripe: Stripe, id: string) {
  try {
    await found(stripe.invoices.voidInvoice(id))
  } catch (error) {
    if (!isRefusal(error, 'notOverdue')) throw error
  }
}
