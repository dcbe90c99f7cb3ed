import type { LanguageCode } from '#config/languages.ts'
import { sql, type SQL } from 'drizzle-orm'
import type { Told } from '../../server/core/services.ts'
import type { Db } from '../../server/sql/database.ts'
import { askPage, eachPage, exportedAtOnce, type Page } from '../../server/sql/pages.ts'
import { all, columns, first, run } from '../../server/sql/statement.ts'
import { limits } from './limits.ts'
import { notices } from './tables.ts'

export type Row = typeof notices.$inferSelect

/** Kinds that tell how something stands now, so a newer one takes the place of an unread one. */
const ofPayment = ['paymentFailed', 'paymentWaits', 'projectUnpaid']
const standing = new Set([...ofPayment, 'cardMissing'])

/** Adds what a person is told, if they have shown that their address is theirs. */
export function add(db: Db, id: string, { at, kind, to, subscriptionId, values }: Told) {
  const outdated = sql`with outdated as (
      delete from notices where user_id = ${to} and subscription_id = ${subscriptionId}
        and kind = ${kind}::text and read_at is null
    )`
  return run(db, standing.has(kind) ? 'notice_replace' : 'notice_add')`
    ${standing.has(kind) ? outdated : sql``} insert into notices (id, user_id, kind, subscription_id, project, details, at, is_listed, in_digest)
    select ${id}, u.id, ${kind}, ${subscriptionId},
      coalesce((select settings ->> 'name' from subscriptions where id = ${subscriptionId}), ''),
      ${JSON.stringify(values)}::jsonb, ${at},
      coalesce(u.notice_ways -> ${kind}::text ->> 'app', 'true') = 'true',
      u.notice_ways -> ${kind}::text ->> 'digest' is not distinct from 'true' and ${isMailed(sql`${kind}::text`)}
    from users u where u.id = ${to} and u.claimed`
}

const isMailed = (kind: SQL) => sql`coalesce(u.notices ->> ${kind}, 'true') = 'true'`

/** Who reads: `passed` says that they have passed a second step, which projects may ask for. */
export type Reader = { userId: string; passed: boolean; now: Date }

/** Of a project that somebody is not in, only that they were removed. */
const visible = ({ passed, now }: Omit<Reader, 'userId'>) => sql`(
  notices.subscription_id is null or notices.kind = 'memberRemoved' or exists (
    select from members m join subscriptions s on s.id = m.subscription_id
    where m.subscription_id = notices.subscription_id and m.user_id = notices.user_id
      and (${passed}::boolean or s.second_factor_from is null or s.second_factor_from > ${now}::timestamptz)))`

const listedFor = (reader: Reader) =>
  sql`from notices where notices.user_id = ${reader.userId} and notices.is_listed and ${visible(reader)}`

export async function count(db: Db, reader: Reader) {
  const found = await first<{ unread: number; zone: string | null }>(db, 'notices_count')`
    select count(*) unread, (select zone from notices_zones where user_id = ${reader.userId}) "zone"
    ${listedFor(reader)} and read_at is null`
  return found!
}

type Wanted = Page & { project?: string | undefined; unread?: boolean | undefined }

/** The newest first. */
export async function list(db: Db, reader: Reader, { project, unread = false, ...page }: Wanted) {
  const these = sql`${listedFor(reader)}
    and (${project ?? null}::text is null or notices.subscription_id = ${project ?? null})
    and (not ${unread}::boolean or notices.read_at is null)`
  const counts = sql`select count(*) total ${these}`
  const rows = sql`select ${columns(notices)} ${these} order by notices.at desc, notices.id desc`
  return askPage<Row>(db, 'notices_list', { counts, rows }, page)
}

/** Nobody has to pay any more what was told of the project. */
export function markPaid(db: Db, subscriptionId: string, now: Date) {
  return run(db, 'notices_mark_paid')`
    update notices set read_at = ${now}
    where subscription_id = ${subscriptionId} and read_at is null and kind = any(${ofPayment}::text[])`
}

/** Nobody has to answer any more who asked to join the project, and asks no longer. */
export function markAnswered(db: Db, subscriptionId: string, now: Date) {
  return run(db, 'notices_mark_answered')`
    update notices set read_at = ${now}
    where subscription_id = ${subscriptionId} and read_at is null and kind = 'joinRequested'
      and not exists (
        select from join_requests r join users u on u.id = r.user_id
        where r.subscription_id = ${subscriptionId} and r.declined_at is null
          and u.display_name = notices.details ->> 'by')`
}

type Marked = { userId: string; ids: string[] | null; now: Date }

export function markRead(db: Db, { userId, ids, now }: Marked) {
  return run(db, 'notices_mark')`
    update notices set read_at = ${now}
    where user_id = ${userId} and read_at is null and (${ids}::text[] is null or id = any(${ids}::text[]))`
}

/** False if the database knows no such time zone. */
export async function setZone(db: Db, { userId, zone }: { userId: string; zone: string }) {
  const rows = await all(db, 'notices_set_zone')`
    insert into notices_zones (user_id, zone)
    select ${userId}, name from pg_timezone_names where name = ${zone}
    on conflict (user_id) do update set zone = excluded.zone returning zone`
  return rows.length > 0
}

/** Whose mail of the day is due: something has waited since before the hour of today, where they are. */
export async function listDue(db: Db, now: Date) {
  const hour = sql`make_interval(hours => ${limits.digest.hour}::int)`
  const zone = sql`coalesce(z.zone, 'UTC')`
  const rows = await all<{ id: string }>(db, 'notices_due')`
    select distinct notices.user_id id from notices left join notices_zones z on z.user_id = notices.user_id
    where notices.in_digest and notices.at < (
      date_trunc('day', (${now}::timestamptz at time zone ${zone}) - ${hour}) + ${hour}) at time zone ${zone}
    limit ${limits.digest.atOnce}`
  return rows.map(({ id }) => id)
}

export type Waiting = Row & {
  email: string
  displayName: string
  language: LanguageCode | null
  zone: string | null
}

/** Takes what waits for a person's mail of the day, the newest first. Another server finds none of it. */
export function take(db: Db, userId: string, now: Date) {
  return all<Waiting>(db, 'notices_take')`
    with taken as (
      update notices set in_digest = false where user_id = ${userId} and in_digest returning *
    )
    select ${columns(notices)}, u.email, u.display_name "displayName", u.language, z.zone
    from taken notices join users u on u.id = notices.user_id
      left join notices_zones z on z.user_id = u.id
    where u.claimed and not u.disabled and ${isMailed(sql`notices.kind`)} and ${visible({ passed: true, now })}
    order by notices.at desc, notices.id desc`
}

/** All of a person, in pages, but those of these projects. */
export async function* eachOf(db: Db, userId: string, without: string[]) {
  const pages = eachPage<Row>(
    (last) => all<Row>(db, 'notices_exported')`
      select ${columns(notices)} from notices
      where user_id = ${userId} and id > ${last?.id ?? ''}
        and (subscription_id is null or subscription_id <> all(${without}::text[]))
        and ${visible({ passed: true, now: new Date(0) })}
      order by id limit ${exportedAtOnce}`,
  )
  for await (const rows of pages)
    yield rows.map(({ id, kind, subscriptionId, project, at, readAt }) => ({
      id,
      kind,
      subscription_id: subscriptionId,
      project,
      created: at,
      read: readAt,
    }))
}

export function removeOld(db: Db, before: Date) {
  return run(db, 'notices_remove_old')`delete from notices where at < ${before}`
}
