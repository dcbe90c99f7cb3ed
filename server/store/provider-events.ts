import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { addingJob, type NewJob } from './adding-job.ts'
import { reading, type Begun } from './reading.ts'
import { providerEvents } from './schema.ts'
import { all, columns, first, run } from '../sql/statement.ts'

export type ProviderEvent = typeof providerEvents.$inferSelect

type NewEvent = { id: string; type: string; objectType: string; objectId: string; now: Date }

/** Adds an event with its job, unless it exists already. */
export function add(db: Db, { id, type, objectType, objectId, now }: NewEvent, job: NewJob) {
  return run(db, 'provider_event_add')`
    with added as (
      insert into provider_events (id, type, object_type, object_id, received_at)
      values (${id}, ${type}, ${objectType}, ${objectId}, ${now}) on conflict do nothing returning id
    )
    ${addingJob(job, sql`from added`)}`
}

/** Finds an event, and begins the reading of the provider subscription that it may be about. */
export async function find(db: Db, id: string) {
  return first<ProviderEvent & Begun>(db, 'provider_event')`
    select ${columns(providerEvents)}, ${reading(sql`object_id`)} from provider_events where id = ${id}`
}

export function markProcessed(db: Db, { id, now }: { id: string; now: Date }) {
  return run(db, 'provider_event_mark_processed')`
    update provider_events set processed_at = ${now}, error = null
    where id = ${id} and processed_at is null`
}

export function markFailed(db: Db, { id, error }: { id: string; error: string }) {
  return run(db, 'provider_event_mark_failed')`
    update provider_events set error = ${error} where id = ${id}`
}

/** Events that the last attempt could not process, the oldest first. */
export function listFailed(db: Db) {
  return all<ProviderEvent>(db, 'provider_events_failed')`
    select ${columns(providerEvents)} from provider_events
    where processed_at is null and error is not null order by received_at`
}

/** The newest events about one of these objects. For operators: it looks at all events. */
export function listAbout(db: Db, objectIds: string[], limit: number) {
  return all<ProviderEvent>(db, 'provider_events_about')`
    select ${columns(providerEvents)} from provider_events
    where object_id = any(${objectIds}::text[]) order by received_at desc limit ${limit}`
}

type Unprocessed = { count: number; failed: number; oldestSeconds: number }

/** How many events are not processed, and of those have failed, and the age of the oldest. */
export async function countUnprocessed(db: Db, now: Date) {
  const found = await first<Unprocessed>(db, 'provider_events_unprocessed')`
    select count(*), count(error) failed,
      coalesce(extract(epoch from ${now} - min(received_at)), 0)::float8 "oldestSeconds"
    from provider_events where processed_at is null`
  return found!
}

/** Removes only processed events, which the provider repeats for a few days at most. */
export function removeOlder(db: Db, than: Date) {
  return run(db, 'provider_events_remove_older')`
    delete from provider_events where processed_at is not null and received_at < ${than}`
}
