import { limits } from '#config/limits.ts'
import type { JobPayloads } from '../core/jobs.ts'
import type { Services } from '../core/services.ts'
import { after, seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'
import { graceEnd } from './look-only.ts'
import { tellOfUnpaid } from './mails.ts'
import { syncProviderSubscription } from './sync.ts'

/** Mails the owner and the administrators, at most once a day, what is owed and until when. */
export async function tellUnpaid(
  { subscriptionId, tried }: JobPayloads['tellUnpaid'],
  services: Services,
) {
  const { payments, store } = services
  const id = (await store.billing.find(subscriptionId))?.providerSubscriptionId
  const current = id && (await syncProviderSubscription(id, services))
  // It is paid or over by now, or the bank still works on it.
  if (!current || current.payment === 'ok' || current.isProcessing) return
  const owed = await payments.previewPayment(id)
  await services.transaction(async (services) => {
    const { store } = services
    const triedAt = new Date(tried * 1000)
    const row = await store.subscriptions.lockRow(subscriptionId)
    if (row?.status !== 'active' || row.payment === 'ok' || isTold(row, triedAt)) return
    await store.billing.update(row.id, { dunnedAt: triedAt })
    const invoice = await store.invoices.findOldestOpen(row.id)
    const ends = invoice && after(invoice.createdAt, limits.unpaid.ends)
    const sum = { amount: owed?.due ?? row.amount ?? 0, currency: row.currency! }
    const next = invoice?.nextPaymentAttempt
    const lookOnly = graceEnd(row)
    await tellOfUnpaid(
      row,
      {
        ...sum,
        card: owed?.declined?.card ?? null,
        next: next ? seconds(next) : null,
        ends: ends ? seconds(ends) : null,
        lookOnly: lookOnly && lookOnly > triedAt ? seconds(lookOnly) : null,
        isLast: ends !== undefined && after(ends, -limits.unpaid.warned) <= triedAt,
      },
      services,
    )
  })
}

function isTold({ dunnedAt }: BillingRow, triedAt: Date) {
  return dunnedAt !== null && triedAt < after(dunnedAt, limits.unpaid.mailed)
}
