import { hour } from '../objects/due-at.ts'
import { isWaiting } from './outbox.ts'
import type { Invoice } from '../objects/wire.ts'
import { save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

const heldAtMost = 72 * hour

/** Delays a due draft by an hour, for three days at most, while its webhook is undelivered. */
export async function holdDraft(tx: Tx, invoice: Invoice): Promise<boolean> {
  const until = Math.min(tx.now + hour, invoice.created + heldAtMost)
  if (until <= tx.now || !(await isWaiting(tx, 'invoice.created', invoice.id))) return false
  await save(tx, { ...invoice, automatically_finalizes_at: until })
  return true
}

/** Once its webhook is delivered or given up, the merchant has one hour to change the draft. */
export async function draftDelivered(tx: Tx, id: string, isDelivered: boolean) {
  const invoice = await lockObject(tx, 'invoice', id)
  if (invoice.automatically_finalizes_at === null || invoice.webhooks_delivered_at !== null) return
  await save(tx, {
    ...invoice,
    automatically_finalizes_at: Math.min(tx.now + hour, invoice.created + heldAtMost),
    webhooks_delivered_at: isDelivered ? tx.now : null,
  })
}
