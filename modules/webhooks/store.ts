import { sql } from 'drizzle-orm'
import type { Recorded } from '../../server/core/services.ts'
import { seconds } from '../../server/platform/time.ts'
import type { Db } from '../../server/sql/database.ts'
import { askPage, type Page } from '../../server/sql/pages.ts'
import { all, columns, first, run } from '../../server/sql/statement.ts'
import type { Delivery, Webhook } from './contract.ts'
import { limits } from './limits.ts'
import { webhooks, type deliveries } from './tables.ts'

export type Row = typeof webhooks.$inferSelect
export type Place = { id: string; subscriptionId: string }
type Shown = Row & { waiting: number }
type Log = typeof deliveries.$inferSelect

/** In the order in which they were made. */
export async function list(db: Db, subscriptionId: string) {
  const rows = await all<Shown>(db, 'webhooks')`
    select ${columns(webhooks)}, (
      select count(*) from webhooks_deliveries
      where webhook_id = webhooks.id and state in ('new', 'waiting')) waiting
    from webhooks where subscription_id = ${subscriptionId} order by created_at, id`
  return rows.map(toWebhook)
}

/** Locks a webhook until the end of the transaction. */
export function lock(db: Db, { id, subscriptionId }: Place) {
  return first<Row>(db, 'webhook_lock')`
    select ${columns(webhooks)} from webhooks
    where id = ${id} and subscription_id = ${subscriptionId} for no key update`
}

type New = Place & { url: string; events: string[]; secret: string; now: Date }

/** False if the project, which the caller has locked, has no room. */
export async function add(db: Db, { id, subscriptionId, url, events, secret, now }: New) {
  const rows = await all(db, 'webhook_add')`
    insert into webhooks (id, subscription_id, url, events, secret, created_at)
    select ${id}, ${subscriptionId}, ${url}, ${events}::text[], ${secret}, ${now}
    where (select count(*) from webhooks where subscription_id = ${subscriptionId}) < ${limits.perProject}
    returning id`
  return rows.length > 0
}

type Change = Pick<Row, 'id' | 'url' | 'events' | 'status'> & { now: Date }

/** What waits is then tried at once, as if it had not failed yet. */
export function change(db: Db, { id, url, events, status, now }: Change) {
  return run(db, 'webhook_change')`
    update webhooks set url = ${url}, events = ${events}::text[], status = ${status},
      paused_because = case when ${status} = 'paused' then paused_because end,
      failures = 0, retry_at = null, next_at = ${now}
    where id = ${id}`
}

export function renewSecret(db: Db, id: string, secret: string, until: Date) {
  return run(db, 'webhook_renew_secret')`
    update webhooks set former_secret = secret, former_until = ${until}, secret = ${secret}
    where id = ${id}`
}

export function remove(db: Db, id: string) {
  return run(db, 'webhook_remove')`delete from webhooks where id = ${id}`
}

/** Adds a delivery to each webhook of the project that wants to hear of the event. */
export function tell(db: Db, { subscriptionId, kind, at, actorId, subjectId, details }: Recorded) {
  return run(db, 'webhooks_tell')`
    insert into webhooks_deliveries (webhook_id, event, at, actor_id, subject_id, details)
    select id, ${kind}, ${at}, ${actorId}, ${subjectId}, ${JSON.stringify(details)}::jsonb
    from webhooks where subscription_id = ${subscriptionId} and events && array[${kind}, '*']::text[]`
}

export async function addTest(db: Db, webhookId: string, actorId: string, at: Date) {
  const row = await first<{ id: string }>(db, 'webhooks_add_test')`
    insert into webhooks_deliveries (webhook_id, state, event, at, actor_id, details)
    values (${webhookId}, 'asked', 'test', ${at}, ${actorId}, '{}') returning id`
  return row!.id
}

type ToLog = { webhookId: string; since: Date }

/** The newest first, at most as many as the log has. */
export async function listDeliveries(db: Db, { webhookId, since }: ToLog, page: Page) {
  const log = sql`log as (
    select * from webhooks_deliveries where webhook_id = ${webhookId} and at >= ${since}
    order by seq desc limit ${sql.raw(String(limits.log))})`
  const asked = {
    using: log,
    counts: sql`select count(*) total from log`,
    rows: sql`select id, state, event, at, tries, tried_at "triedAt", took, status, answer, error
      from log order by seq desc`,
  }
  const { rows, total } = await askPage<Log>(db, 'webhooks_log', asked, page)
  return { deliveries: rows.map(toDelivery), total }
}

/** Asks for one delivery, or all since a time, that do not wait. Returns how many fit. */
export async function askAgain(db: Db, { id, webhookId, since }: ToLog & { id: string | null }) {
  const isOver = sql`state in ('delivered', 'failed')`
  const rows = await all(db, 'webhooks_ask_again')`
    update webhooks_deliveries set state = case when ${isOver} then 'asked' else state end
    where webhook_id = ${webhookId} and at >= ${since} and (id = ${id} or ${id}::text is null and ${isOver})
    returning id`
  return rows.length
}

/** Lets a server look for what was asked for. */
export function wake(db: Db, webhookId: string, now: Date) {
  return run(db, 'webhook_wake')`update webhooks set next_at = ${now} where id = ${webhookId}`
}

/** Gives up the event that waits first. */
export function skipFirst(db: Db, webhookId: string) {
  return run(db, 'webhooks_skip_first')`
    update webhooks_deliveries set state = 'failed' where id = (
      select id from webhooks_deliveries
      where webhook_id = ${webhookId} and state in ('new', 'waiting') order by seq limit 1)`
}

export function removeOld(db: Db, than: Date) {
  return run(db, 'webhooks_remove_old')`delete from webhooks_deliveries where at < ${than}`
}

/** Removes what the log is too short for, of some webhooks, or of all for null. */
export function shorten(db: Db, ids: string[] | null) {
  const over = sql`state in ('delivered', 'failed')`
  return run(db, 'webhooks_shorten')`
    delete from webhooks_deliveries log using (
      select webhooks.id, (
        select seq from webhooks_deliveries where webhook_id = webhooks.id and ${over}
        order by seq desc offset ${sql.raw(String(limits.log))} limit 1) seq
      from webhooks where ${sql.param(ids)}::text[] is null or id = any(${sql.param(ids)})
    ) last
    where log.webhook_id = last.id and log.seq <= last.seq and ${over}`
}

export function listAll(db: Db) {
  return all<Row>(db, 'webhooks_all')`select ${columns(webhooks)} from webhooks`
}

/** Unless it was renewed meanwhile. */
export function reseal(db: Db, id: string, from: string, to: string) {
  return run(db, 'webhook_reseal')`
    update webhooks set secret = ${to} where id = ${id} and secret = ${from}`
}

function toWebhook({ id, url, events, status, pausedBecause, waiting, createdAt }: Shown): Webhook {
  const created = seconds(createdAt)
  return { id, url, events, status, paused_because: pausedBecause, waiting, created }
}

function toDelivery({ at, state, triedAt, ...row }: Log): Delivery {
  return {
    ...row,
    created: at.toISOString(),
    state: state === 'new' ? 'waiting' : state,
    tried: triedAt?.toISOString() ?? null,
  }
}
