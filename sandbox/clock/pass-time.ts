import type { Courier } from '../events/courier.ts'
import type { Pool } from 'pg'
import { clockTo, sandboxTime, type World } from '../store/tx.ts'
import { runDue } from './run-due.ts'

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
