import type { DisputeState } from '#contract/entities.ts'
import { isDeepStrictEqual } from 'node:util'
import type { About, Returned } from '../providers/payments/payments.ts'
import type { Services } from '../core/services.ts'
import { lockedRow, writeInvoice, type Also } from './sync.ts'

const told: ReadonlySet<string> = new Set(['charge', 'refund', 'dispute', 'credit_note'])

/** What tells that money went back, or is asked back. */
export function tellsOfReturn({ objectType }: About) {
  return told.has(objectType)
}

/**
 * Asks what went back of an invoice, and how a dispute about it stands, and writes that. Of two at a time the one that has read earlier
 * may write later: so each asks again, until it finds what it wrote.
 */
export async function syncReturned(about: About, services: Services, also: Also) {
  const { payments } = services
  let written: Returned | undefined
  let found = await payments.findReturned(about)
  while (found && !isDeepStrictEqual(found, written)) {
    written = found
    await services.transaction((services) => write(written!, services))
    found = await payments.findReturned(about)
  }
  await services.transaction(also)
}

async function write({ invoice, subscriptionId, refunded, dispute }: Returned, services: Services) {
  const row = subscriptionId === undefined ? undefined : await lockedRow(subscriptionId, services)
  if (!row) return
  // Its own events may come later.
  await writeInvoice(row, invoice, services)
  const before = await services.store.invoices.setReturned(invoice.id, { refunded, dispute })
  if (before !== dispute) tell(dispute, { subscription: row.id, invoice: invoice.id }, services)
}

function tell(
  dispute: DisputeState | null,
  about: { subscription: string; invoice: string },
  { log }: Services,
) {
  if (dispute === 'open')
    log.error(
      about,
      'a payment is disputed: answer the dispute at the provider before its time is over',
    )
  if (dispute === 'lost') log.warn(about, 'a dispute is lost: the payment went back to the payer')
  if (dispute === 'won') log.info(about, 'a dispute is won')
}
