import { sql, type SQL } from 'drizzle-orm'
import type { Db } from './database.ts'
import { countOf } from './count-of.ts'
import type { Limited } from './rate-limits.ts'
import { statement, type Given } from './statement.ts'

export type NewJob = { task: string; jobKey: string | null; payload: string }

const log = 'outbox'

export const addJob = statement<NewJob>('outbox_add_job', (job) => addingJob(job), { log }).send

/** Adds the job once for each row of `from`. */
export function addingJob({ task, jobKey, payload }: Given<NewJob>, from: SQL = sql``) {
  return sql`insert into outbox (kind, task, job_key, payload) select 'job', ${task}, ${jobKey}, ${payload}::json ${from}`
}

/** Counts a try under a rate limit's key, and adds the job if no more than `tries` were counted. */
export const addJobWithin = statement<NewJob & Limited & { tries: number; now: number }>(
  'outbox_add_job_within',
  (given) => sql`
    with counted as (${countOf(sql`select ${given.key}, ${given.within}::bigint`, given.now)})
    ${addingJob(given, sql`from counted where points <= ${given.tries}`)}`,
).send

export const addJobRemoval = statement<{ jobKey: string }>(
  'outbox_add_job_removal',
  ({ jobKey }) => sql`insert into outbox (kind, job_key) values ('jobRemoval', ${jobKey})`,
  { log },
).send

export type Entry = { id: number } & (
  | { kind: 'notice'; payload: object }
  | { kind: 'job'; task: string; jobKey: string | null; payload: object }
  | { kind: 'jobRemoval'; jobKey: string }
)

const taken = statement<{ limit: number }, Entry>(
  'outbox_take',
  ({ limit }) => sql`
    with turn as materialized (select pg_try_advisory_xact_lock(hashtext('atrium outbox')) is_ours)
    delete from outbox where id = any(array(select id from outbox, turn where turn.is_ours order by id limit ${limit}))
    returning id, kind, task, job_key "jobKey", payload`,
)

/**
 * Takes the oldest entries, in their order. Until the transaction ends, no other server takes any,
 * so that the entries of a subscription are handed on in the order of its changes.
 */
export async function take(db: Db, limit: number) {
  const entries = await taken.all(db, { limit })
  return entries.sort((one, other) => one.id - other.id)
}

export const notify = statement<{ notices: string[] }>(
  'outbox_notify',
  ({ notices }) => sql`select pg_notify('live', notice) from unnest(${notices}::text[]) notice`,
).send
