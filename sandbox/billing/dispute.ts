import { invalid } from '../rules/errors.ts'
import { change, publish, record } from '../events/record.ts'
import { newDispute } from '../objects/charge.ts'
import type { Dispute } from '../objects/wire.ts'
import { lockObject, objectsWhere, save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/** Creates a dispute, as if the payer had disputed the charge at their bank. */
export async function dispute(tx: Tx, chargeId: string): Promise<Dispute> {
  const charge = await lockObject(tx, 'charge', chargeId)
  if (charge.disputed || charge.refunded)
    throw invalid('This payment was already disputed or refunded.', { param: 'dispute[payment]' })
  await save(tx, { ...charge, disputed: true })
  return publish(tx, 'charge.dispute.created', newDispute(charge, tx.now))
}

/** Ends the dispute of a charge, as if the bank had decided it. */
export async function decide(tx: Tx, chargeId: string, status: 'won' | 'lost'): Promise<Dispute> {
  // This also locks the customer's row, so no other request changes the dispute at the same time.
  await lockObject(tx, 'charge', chargeId)
  const ofCharge = `body->>'charge' = $2 and body->>'status' = 'needs_response'`
  const [open] = await objectsWhere(tx, 'dispute', ofCharge, [chargeId])
  if (!open) throw invalid('This payment has no open dispute.', { param: 'dispute[payment]' })
  const decided = await change(tx, 'charge.dispute.updated', open, { status })
  await record(tx, 'charge.dispute.closed', decided)
  return decided
}
