import { paymentDue } from '../billing/apply-payment.ts'
import { scheduleDue } from '../billing/phases.ts'
import { invoiceDue, subscriptionDue } from '../billing/renew.ts'
import { dueAt } from '../objects/due-at.ts'
import { lockObject } from '../store/objects.ts'
import { clockTo, inTransaction, noRequest, type Tx, type World } from '../store/tx.ts'

type DueType = 'subscription' | 'subscription_schedule' | 'invoice' | 'payment_intent'
type Due = { id: string; type: DueType; at: number }

/**
 * Does all work that is due until this time. Before each piece of work it moves the clock to the
 * time of that work, so a crash skips nothing. Adds objects whose work fails to `failed`, and skips
 * the objects in `failed`.
 */
export async function runDue(world: World, until: number, failed: string[]) {
  for (
    let due = await nextDue(world, until, failed);
    due;
    due = await nextDue(world, until, failed)
  ) {
    const { id, type, at } = due
    try {
      await clockTo(world.pool, at)
      await inTransaction(world, noRequest, (tx) => actOn(tx, { id, type, at }), at)
    } catch (error) {
      failed.push(id)
      world.log.error({ err: error, id }, 'sandbox: due work failed')
    }
  }
}

async function actOn(tx: Tx, { id, type, at }: Due) {
  const object = await lockObject(tx, type, id)
  // Another server may have done this work before this server got the lock.
  if (dueAt(object) !== at) return
  if (object.object === 'subscription') await subscriptionDue(tx, object)
  else if (object.object === 'subscription_schedule') await scheduleDue(tx, object)
  else if (object.object === 'payment_intent') await paymentDue(tx, object)
  else await invoiceDue(tx, object)
}

/** The object that is due next: invoices first, as a last failed payment prevents a renewal. */
async function nextDue({ pool }: World, until: number, except: string[]): Promise<Due | undefined> {
  const { rows } = await pool.query<{ id: string; type: Due['type']; due_at: string }>(
    'select id, type, due_at from sandbox.objects where due_at <= $1 and not id = any($2) order by due_at, type, seq limit 1',
    [until, except],
  )
  return rows[0] && { id: rows[0].id, type: rows[0].type, at: Number(rows[0].due_at) }
}
