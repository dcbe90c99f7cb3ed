import { shown } from '../api/shown.ts'
import type { Event } from '../objects/wire.ts'
import { sandboxTime, type Runner } from '../store/tx.ts'

export type Parcel = { event: string; body: string }

const atOnce = 8
export const attemptsAtMost = 20
const later = `case when attempts + 1 < ${attemptsAtMost} then $1 + least(21600, 10 * power(4, least(attempts, 10)))::bigint end`

/** The next few events to deliver. Each is put off to its next attempt first, so a crash while it is on its way repeats it. */
export async function claim(runner: Runner): Promise<Parcel[]> {
  const { rows } = await runner.query<{ body: Event }>(
    `with due as (
       select event from sandbox.deliveries where next_attempt_at <= $1
       order by next_attempt_at, event limit ${atOnce} for update skip locked
     ), claimed as (
       update sandbox.deliveries set attempts = attempts + 1, next_attempt_at = ${later}
       where event in (select event from due) returning event
     )
     select body from sandbox.objects where id in (select event from claimed) order by seq`,
    [await sandboxTime(runner)],
  )
  return rows.map(({ body }) => parcelOf(body))
}

/** This one, whenever it would be due; one that was delivered or dropped is not tried again by itself. */
export async function claimOne(runner: Runner, event: string): Promise<Parcel | undefined> {
  const { rows } = await runner.query<{ body: Event }>(
    `with claimed as (
       update sandbox.deliveries set attempts = attempts + 1, next_attempt_at = case when next_attempt_at is not null then ${later} end
       where event = $2 returning event
     )
     select body from sandbox.objects where id in (select event from claimed)`,
    [await sandboxTime(runner), event],
  )
  return rows[0] && parcelOf(rows[0].body)
}

export async function delivered(runner: Runner, event: string) {
  await runner.query(
    `with done as (update sandbox.deliveries set delivered_at = $2, next_attempt_at = null where event = $1)
     update sandbox.objects set body = body || '{"pending_webhooks": 0}' where id = $1`,
    [event, await sandboxTime(runner)],
  )
}

/** What is still to be delivered, in the order in which it happened. */
export async function waiting(runner: Runner): Promise<string[]> {
  const { rows } = await runner.query<{ event: string }>(
    `select event from sandbox.deliveries join sandbox.objects on id = event where next_attempt_at is not null order by seq`,
  )
  return rows.map(({ event }) => event)
}

export async function dropWaiting(runner: Runner) {
  await runner.query('update sandbox.deliveries set next_attempt_at = null where next_attempt_at is not null')
}

/** After a start: what was on its way when the last server ended is tried at once. */
export async function hurry(runner: Runner) {
  await runner.query('update sandbox.deliveries set next_attempt_at = $1 where next_attempt_at > $1', [await sandboxTime(runner)])
}

function parcelOf(event: Event): Parcel {
  return { event: event.id, body: JSON.stringify(shown(event)) }
}
