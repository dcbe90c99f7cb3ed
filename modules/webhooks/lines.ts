import { sql } from 'drizzle-orm'
import type { Db } from '../../server/sql/database.ts'
import { all, columns, run } from '../../server/sql/statement.ts'
import { limits } from './limits.ts'
import type { Sent } from './send.ts'
import type { Row } from './store.ts'
import { webhooks } from './tables.ts'

// What waits for a webhook is its line. One server holds a line at a time, by its name in the row; if
// it dies, its row in `servers` goes, and another one takes the line over.

/** An event with the names of its people, which are empty once their accounts are deleted. */
export type Message = {
  id: string
  event: string
  at: string
  actor: { id: string; name: string } | null
  subject: { id: string; name: string } | null
  details: Record<string, unknown>
}

export type Line = Row & {
  /** Its next events, if they may be tried now. */
  waiting: Message[]
  /** What is to be sent outside the order. */
  asked: Message[]
}

/** Puts new events into their lines. It locks a line first, as whoever deletes one. */
export function takeIn(db: Db, now: Date) {
  return run(db, 'webhooks_take_in')`
    with fresh as (
      select id, webhook_id from webhooks_deliveries where state = 'new' order by seq limit 1000
    ), line as (
      select id from webhooks where id in (select webhook_id from fresh) order by id for no key update
    ), taken as (
      update webhooks_deliveries event set state = 'waiting' from fresh join line on line.id = webhook_id
      where event.id = fresh.id and state = 'new'
    )
    update webhooks set next_at = coalesce(next_at, ${now}) from line where webhooks.id = line.id`
}

const person = (id: 'actor_id' | 'subject_id') => {
  const column = sql.identifier(id)
  return sql`case when ${column} is not null then json_build_object('id', ${column},
    'name', coalesce((select display_name from users where users.id = ${column}), '')) end`
}
const messages = (condition: ReturnType<typeof sql>) => sql`(
  select coalesce(json_agg(message order by seq), '[]') from (
    select seq, id, event, at, details, ${person('actor_id')} actor, ${person('subject_id')} subject
    from webhooks_deliveries where webhook_id = webhooks.id and ${condition}
    order by seq limit ${sql.raw(String(limits.batch))}
  ) message)`

type Claim = { server: string; held: string[]; limit: number; now: Date }

/**
 * Takes lines with something to do. `held` are those that the server knows to hold: it has lost the
 * others with a connection.
 */
export function claim(db: Db, { server, held, limit, now }: Claim) {
  return all<Line>(db, 'webhooks_claim')`
    with due as (
      select id from webhooks where next_at <= ${now}
        and case when server = ${server} then id <> all(${held}::text[])
          else server is null or not exists (select from servers where servers.id = server) end
      order by next_at limit ${limit} for no key update skip locked
    ), taken as (
      update webhooks set server = ${server} from due where webhooks.id = due.id returning webhooks.*
    )
    select ${columns(webhooks)}, ${messages(sql`state = 'asked'`)} asked,
      ${messages(sql`state = 'waiting' and webhooks.status = 'on'
        and (retry_at is null or retry_at <= ${now})`)} waiting
    from taken webhooks`
}

/** What became of a message. */
export type Result = Sent & { id: string; triedAt: Date }
/** What became of a line. `pause`: why the webhook is to be paused. */
export type Over = Pick<Line, 'id' | 'failures' | 'retryAt'> & {
  results: Result[]
  pause?: Because
}

/** Locks the lines that the server still holds, and returns their ids. */
export async function lock(db: Db, server: string, ids: string[]) {
  const rows = await all<{ id: string }>(db, 'webhooks_lock_lines')`
    select id from webhooks where id = any(${ids}::text[]) and server = ${server}
    order by id for no key update`
  return new Set(rows.map(({ id }) => id))
}

/** What was skipped or asked for meanwhile stays so, unless it was delivered. */
export function writeResults(db: Db, results: Result[]) {
  return run(db, 'webhooks_results')`
    update webhooks_deliveries sent set tries = tries + 1, tried_at = result."triedAt", took = result.took,
      status = result.status, answer = result.answer, error = result.error,
      state = case when ok then 'delivered' when sent.state = 'asked' then 'failed' else sent.state end
    from json_to_recordset(${JSON.stringify(results)}::json) result (
      id text, ok boolean, "triedAt" timestamptz, took integer, status integer, answer text, error text)
    where sent.id = result.id`
}

/** Lets lines go. Runs in a transaction that has locked them before: what it sees is complete. */
export function release(db: Db, over: Over[], now: Date) {
  const lines = over.map(({ id, failures, retryAt }) => ({ id, failures, retryAt }))
  const has = (state: 'waiting' | 'asked') =>
    sql`exists (select from webhooks_deliveries where webhook_id = line.id and state = ${sql.raw(`'${state}'`)})`
  return run(db, 'webhooks_release')`
    update webhooks line set server = null, failures = over.failures, retry_at = over."retryAt",
      next_at = case when ${has('asked')} then ${now}
        when status = 'on' and ${has('waiting')} then coalesce(over."retryAt", ${now}) end
    from json_to_recordset(${JSON.stringify(lines)}::json) over (
      id text, failures integer, "retryAt" timestamptz)
    where line.id = over.id`
}

export type Because = NonNullable<Row['pausedBecause']>

/** Returns whether it did: whether the server still holds the line, and nobody has paused it. */
export async function pause(db: Db, id: string, because: Because, server: string) {
  const rows = await all(db, 'webhooks_pause')`
    update webhooks set status = 'paused', paused_because = ${because}
    where id = ${id} and status = 'on' and server = ${server} returning id`
  return rows.length > 0
}
