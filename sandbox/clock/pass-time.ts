import type { Pool } from 'pg'
import { paymentDue } from '../billing/apply-payment.ts'
import { scheduleDue } from '../billing/phases.ts'
import { invoiceDue, subscriptionDue } from '../billing/renew.ts'
import type { Courier } from '../events/courier.ts'
import { dueAt } from '../objects/due-at.ts'
import { lockObject } from '../store/objects.ts'
import { clockTo, inTransaction, noRequest, sandboxTime, type Tx, type World } from '../store/tx.ts'

type Passing = { until: number; isStopped: () => boolean }

/**
 * Moves the clock step by step to each time at which an object or a webhook is due. Before each
 * step it attempts the webhooks that are due, and those that their receivers cause until they have
 * done their work. A failed webhook is due again later.
 */
export async function passTime(world: World, courier: Courier, { until, isStopped }: Passing) {
  const failed: string[] = []
  let reached = await sandboxTime(world.pool)
  while (!isStopped()) {
    await courier.attemptAll()
    await world.settle(reached)
    await courier.attemptAll()
    const moment = await nextMoment(world, { until, reached, except: failed })
    if (moment === undefined) break
    await clockTo(world.pool, moment)
    await runDue(world, moment, failed)
    reached = Math.max(reached, moment)
  }
}

/**
 * The time at which the next object or webhook is due, or the receiver's alarm. Ignores webhooks and
 * alarms that were due at `reached` or before, because they had their turn, and held webhooks.
 */
async function nextMoment(
  { pool, nextAlarm }: World,
  { until, reached, except }: { until: number; reached: number; except: string[] },
) {
  const { rows } = await pool.query<{ at: string | null }>(
    `select least(
       (select min(due_at) from sandbox.objects where due_at <= $1 and not id = any($3)),
       (select min(next_attempt_at) from sandbox.deliveries, sandbox.control
          where next_attempt_at > $2 and next_attempt_at <= $1 and coalesce(settings#>>'{webhooks,mode}', 'deliver') = 'deliver')
     ) as at`,
    [until, reached, except],
  )
  const due = rows[0]?.at == null ? [] : [Number(rows[0].at)]
  const alarm = (await nextAlarm()) ?? Infinity
  const rings = alarm > reached && alarm <= until
  const [first] = [...due, ...(rings ? [alarm] : [])].toSorted((a, b) => a - b)
  return first
}

/** Whether an object is due. */
export async function isDue(pool: Pool, now: number) {
  const { rowCount } = await pool.query('select from sandbox.objects where due_at <= $1 limit 1', [
    now,
  ])
  return rowCount === 1
}

type DueType = 'subscription' | 'subscription_schedule' | 'invoice' | 'payment_intent'
type Due = { id: string; type: DueType; at: number }

/**
 * Does all work that is due until this time. Before each piece of work it moves the clock to the
 * time of that work, so a crash skips nothing. Adds objects whose work fails to `failed`, and skips
 * the objects in `failed`.
 */
async function runDue(world: World, until: number, failed: string[]) {
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
