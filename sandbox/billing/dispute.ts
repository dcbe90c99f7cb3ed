import { invalid } from '../rules/errors.ts'
import { change, record } from '../events/record.ts'
import { newDispute } from '../objects/dispute.ts'
import type { Dispute } from '../objects/wire.ts'
import { lockObject, objectsWhere, save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/** The payer disputes a charge at their bank. */
export async function dispute(tx: Tx, chargeId: string): Promise<Dispute> {
  const charge = await lockObject(tx, 'charge', chargeId)
  if (charge.disputed || charge.refunded)
    throw invalid('This payment was already disputed or refunded.', { param: 'dispute[payment]' })
  await save(tx, { ...charge, disputed: true })
  const opened = await save(tx, newDispute(charge, tx.now))
  await record(tx, 'charge.dispute.created', opened)
  return opened
}

/** The bank decides a dispute. */
export async function decide(tx: Tx, chargeId: string, status: 'won' | 'lost'): Promise<Dispute> {
  // Changes of a customer's objects wait for the lock on the customer's row.
  await lockObject(tx, 'charge', chargeId)
  const ofCharge = `body->>'charge' = $2 and body->>'status' = 'needs_response'`
  const [open] = await objectsWhere(tx, 'dispute', ofCharge, [chargeId])
  if (!open) throw invalid('This payment has no open dispute.', { param: 'dispute[payment]' })
  const decided = await change(tx, 'charge.dispute.updated', open, { ...open, status })
  await record(tx, 'charge.dispute.closed', decided)
  return decided
}
