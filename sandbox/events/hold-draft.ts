import { hour } from '../objects/due-at.ts'
import { isWaiting } from './outbox.ts'
import type { Invoice } from '../objects/wire.ts'
import { save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

const heldAtMost = 72 * hour

/**
 * Whether a due draft waits another hour because its webhook is undelivered; for three days at
 * most.
 */
export async function holdDraft(tx: Tx, invoice: Invoice): Promise<boolean> {
  const until = Math.min(tx.now + hour, invoice.created + heldAtMost)
  if (until <= tx.now || !(await isWaiting(tx, 'invoice.created', invoice.id))) return false
  await save(tx, { ...invoice, automatically_finalizes_at: until })
  return true
}

/**
 * The draft's webhook was delivered or given up at `tx.now`. The merchant has an hour from then to
 * change the draft.
 */
export async function draftDelivered(tx: Tx, id: string, isDelivered: boolean) {
  const invoice = await lockObject(tx, 'invoice', id)
  if (invoice.automatically_finalizes_at === null || invoice.webhooks_delivered_at !== null) return
  await save(tx, {
    ...invoice,
    automatically_finalizes_at: Math.min(tx.now + hour, invoice.created + heldAtMost),
    webhooks_delivered_at: isDelivered ? tx.now : null,
  })
}
