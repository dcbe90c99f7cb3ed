import { record } from '../events/record.ts'
import { isOver } from '../objects/subscription.ts'
import type { Customer } from '../objects/wire.ts'
import { ofCustomer, remove } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { detach } from './attach.ts'
import { autoAdvance } from './bill.ts'
import { becauseOf, cancel } from './end.ts'

/** Deletes a customer, ends its subscriptions and detaches its cards. */
export async function removeCustomer(tx: Tx, customer: Customer) {
  for (const subscription of await ofCustomer(tx, 'subscription', customer.id)) {
    if (!isOver(subscription)) await cancel(tx, subscription, becauseOf('cancellation_requested'))
  }
  for (const invoice of await ofCustomer(tx, 'invoice', customer.id))
    if (invoice.status === 'draft') await autoAdvance(tx, invoice, false)
  for (const card of await ofCustomer(tx, 'payment_method', customer.id)) await detach(tx, card)
  const deleted = await remove(tx, customer)
  await record(tx, 'customer.deleted', customer)
  return deleted
}
