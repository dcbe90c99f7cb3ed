import { shown } from '../api/shown.ts'
import type { Event } from '../objects/wire.ts'
import { sandboxTime, type Runner } from '../store/tx.ts'

/** An attempt to deliver an event at the time `at`. `isLast`: no automatic attempt follows. */
export type Parcel = { event: Event; body: string; at: number; isLast: boolean }
type Row = { body: Event; at: string; is_last: boolean }

const atOnce = 8
/** Seconds between attempts. Stripe's test mode, too, makes three more attempts in a few hours. */
const delays = [60, 3_600, 10_800]
export const attemptsAtMost = delays.length + 1
const delay = `(array[${delays.join()}]::bigint[])[deliveries.attempts + 1]`
/**
 * The time of an attempt: the time when it was due, unless it is over a minute late. Attempts may
 * be a little late, because time passes during other attempts.
 */
const onTime = `case when next_attempt_at > $1::bigint - 60 then next_attempt_at else $1::bigint end`

/** Takes the next due events, and schedules another attempt of each in case this one crashes. */
export async function claim(runner: Runner): Promise<Parcel[]> {
  const { rows } = await runner.query<Row>(
    `with due as (
       select event as id, ${onTime} as at from sandbox.deliveries where next_attempt_at <= $1
       order by next_attempt_at, event limit ${atOnce} for update skip locked
     ), claimed as (
       update sandbox.deliveries set attempts = attempts + 1, next_attempt_at = due.at + ${delay}
       from due where event = due.id returning event, due.at, next_attempt_at is null as is_last
     )
     select body, at, is_last from sandbox.objects join claimed on id = event order by seq`,
    [await sandboxTime(runner)],
  )
  return rows.map(parcelOf)
}

/** Takes an event, due or not. No attempt follows if it was delivered or dropped before. */
export async function claimOne(runner: Runner, event: string): Promise<Parcel | undefined> {
  const { rows } = await runner.query<Row>(
    `with chosen as (
       select event as id, next_attempt_at is not null as waits from sandbox.deliveries where event = $2 for update
     ), claimed as (
       update sandbox.deliveries set attempts = attempts + 1, next_attempt_at = case when waits then $1::bigint + ${delay} end
       from chosen where event = id returning event, waits and next_attempt_at is null as is_last
     )
     select body, $1::bigint as at, is_last from sandbox.objects join claimed on id = event`,
    [await sandboxTime(runner), event],
  )
  return rows[0] && parcelOf(rows[0])
}

export async function delivered(runner: Runner, { event: { id }, at }: Parcel) {
  await runner.query(
    `with done as (update sandbox.deliveries set delivered_at = $2, next_attempt_at = null where event = $1)
     update sandbox.objects set body = body || '{"pending_webhooks": 0}' where id = $1`,
    [id, at],
  )
}

/** Whether an event of this type about this object is not yet delivered, given up or dropped. */
export async function isWaiting(runner: Runner, type: Event['type'], object: string) {
  const { rows } = await runner.query(
    `select from sandbox.deliveries join sandbox.objects on id = event
     where next_attempt_at is not null and body->>'type' = $1 and body#>>'{data,object,id}' = $2`,
    [type, object],
  )
  return rows.length > 0
}

/** The ids of the events that are not yet delivered, given up or dropped, oldest first. */
export async function waiting(runner: Runner): Promise<string[]> {
  const { rows } = await runner.query<{ event: string }>(
    `select event from sandbox.deliveries join sandbox.objects on id = event where next_attempt_at is not null order by seq`,
  )
  return rows.map(({ event }) => event)
}

export async function dropWaiting(runner: Runner) {
  await runner.query(
    'update sandbox.deliveries set next_attempt_at = null where next_attempt_at is not null',
  )
}

/** Called at the start: makes undelivered events due at once. */
export async function retryUndelivered(runner: Runner) {
  await runner.query(
    'update sandbox.deliveries set next_attempt_at = $1 where next_attempt_at > $1',
    [await sandboxTime(runner)],
  )
}

function parcelOf({ body, at, is_last }: Row): Parcel {
  return { event: body, body: JSON.stringify(shown(body)), at: Number(at), isLast: is_last }
}
