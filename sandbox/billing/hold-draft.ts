import { hour } from '../clock/due-at.ts'
import { isWaiting } from '../events/outbox.ts'
import type { Invoice } from '../objects/wire.ts'
import { save, take } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

const heldAtMost = 72 * hour

/** Whether a draft that is due waits on, because the merchant has not heard of it yet: an hour more, up to three days. */
export async function holdDraft(tx: Tx, invoice: Invoice): Promise<boolean> {
  const until = Math.min(tx.now + hour, invoice.created + heldAtMost)
  if (until <= tx.now || !(await isWaiting(tx, 'invoice.created', invoice.id))) return false
  await save(tx, { ...invoice, automatically_finalizes_at: until })
  return true
}

/** The last attempt to tell the merchant of a draft was made at `tx.now`: from then on they have an hour to change it. */
export async function draftTold(tx: Tx, id: string, isDelivered: boolean) {
  const invoice = await take(tx, 'invoice', id)
  if (invoice.automatically_finalizes_at === null || invoice.webhooks_delivered_at !== null) return
  await save(tx, {
    ...invoice,
    automatically_finalizes_at: Math.min(tx.now + hour, invoice.created + heldAtMost),
    webhooks_delivered_at: isDelivered ? tx.now : null,
  })
}
