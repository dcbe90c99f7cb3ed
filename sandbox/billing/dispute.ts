import { invalid } from '../rules/errors.ts'
import { change, record } from '../events/record.ts'
import { newDispute } from '../objects/dispute.ts'
import type { Dispute } from '../objects/wire.ts'
import { save, lockObject } from '../store/objects.ts'
import type { Runner, Tx } from '../store/tx.ts'

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
  const open = (await disputesOf(tx, chargeId)).find((each) => each.status === 'needs_response')
  if (!open) throw invalid('This payment has no open dispute.', { param: 'dispute[payment]' })
  const decided = await change(tx, 'charge.dispute.updated', open, { ...open, status })
  await record(tx, 'charge.dispute.closed', decided)
  return decided
}

async function disputesOf(runner: Runner, charge: string): Promise<Dispute[]> {
  const { rows } = await runner.query<{ body: Dispute }>(
    `select body from sandbox.objects where type = 'dispute' and body->>'charge' = $1 order by seq desc`,
    [charge],
  )
  return rows.map(({ body }) => body)
}
