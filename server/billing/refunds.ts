import { isDeepStrictEqual } from 'node:util'
import { record } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import type { EventObject, Refund, Refunds } from '../providers/payments/payments.ts'
import type { ProviderInvoice } from '../store/invoices.ts'
import { lockWithInvoice, writeInvoice } from './sync.ts'

/** Two jobs may write in another order than they read, so each reads until nothing differs. */
export async function syncRefunds(about: EventObject, services: Services) {
  const { payments, transaction } = services
  let written: Refunds | undefined
  for (;;) {
    const found = await payments.findRefunds(about)
    if (!found || isDeepStrictEqual(found, written)) return
    await transaction((services) => writeRefunds(found, services))
    written = found
  }
}

async function writeRefunds(
  { invoice, subscriptionId, refunded, made, dispute }: Refunds,
  services: Services,
) {
  const { store, log } = services
  if (!subscriptionId) return
  const { row, former } = await lockWithInvoice(subscriptionId, invoice, services)
  if (!row) return
  // The events about the invoice itself may come later, so its row may be missing.
  await writeInvoice(row, invoice, former, services)
  for (const refund of made) await recordRefund(refund, { ...invoice, in: row.id }, services)
  await store.invoices.setRefunds({ id: invoice.id, refunded, dispute })
  if ((former?.dispute ?? null) === dispute) return
  const about = { subscription: row.id, invoice: invoice.id }
  if (dispute === 'open')
    log.error(
      about,
      'a payment is disputed: answer the dispute at the provider before its time is over',
    )
  if (dispute === 'lost') log.warn(about, 'a dispute is lost: the payment went back to the payer')
  if (dispute === 'won') log.info(about, 'a dispute is won')
}

type Of = Pick<ProviderInvoice, 'id' | 'number' | 'currency'> & { in: SubscriptionId }

/**
 * Records a refund of the command or of the provider's dashboard in the activity log. False if it
 * is there already. The caller has locked the project.
 */
export async function recordRefund(
  { id: refund, amount, by }: Refund,
  { id, number, currency, in: subscriptionId }: Of,
  services: Services,
) {
  if (await services.store.activity.hasRefund(subscriptionId, refund)) return false
  const details = { amount: String(amount), currency, invoice: number ?? id, refund }
  const operator = by === undefined ? undefined : { operator: by }
  await record('paymentRefunded', { by: operator, in: subscriptionId, details }, services)
  return true
}
