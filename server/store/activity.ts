import type { ActivityKind, RecordedKind } from '#contract/activity.ts'
import type { Activity } from '#contract/entries.ts'
import { projectName } from '#contract/project-name.ts'
import type { Settings } from '#contract/settings.ts'
import { sql, type SQL } from 'drizzle-orm'
import { seconds } from '../platform/time.ts'
import type { Db } from '../sql/database.ts'
import { eachPage, exportedAtOnce, askPage, type Page } from '../sql/pages.ts'
import { isIn } from '../sql/fold.ts'
import { activity } from './schema.ts'
import { all, columns, run, some } from '../sql/statement.ts'

type Wish = Page & { kinds?: readonly ActivityKind[] | undefined }

type NewEntry = {
  at: Date
  kind: RecordedKind
  subscriptionId?: string | undefined
  actorId?: string | undefined
  actorName?: string | undefined
  subjectId?: string | undefined
  subject?: string | undefined
  /** JSON. */
  details: string
}

/** Without a `subject`, the entry gets the present name of the user `subjectId`. */
export function add(
  db: Db,
  { at, kind, subscriptionId, actorId, actorName, subjectId, subject, details }: NewEntry,
) {
  return run(db, 'activity_add')`
    insert into activity (at, kind, subscription_id, actor_id, actor_name, subject_id, subject, details)
    values (${at}, ${kind}, ${subscriptionId}, ${actorId}, ${actorName}, ${subjectId},
      coalesce(${subject}, (select display_name from users where id = ${subjectId})), ${details}::jsonb)`
}

/** Entries that don't meet the condition `mayName` come without their subscription. */
const listing = (isOf: SQL, kinds: Wish['kinds'], mayName = sql`true`) => {
  const wanted = sql.param(kinds)
  const condition = sql`(${isOf}) and (${wanted}::text[] is null or activity.kind = any(${wanted}))`
  return {
    counts: sql`select count(*) total from activity where ${condition}`,
    rows: sql`
      select ${columns(activity)}, s.id named, s.settings
      from activity left join subscriptions s on s.id = activity.subscription_id and ${mayName}
      where ${condition} order by activity.id desc`,
  }
}

type Row = Omit<typeof activity.$inferSelect, 'kind'> & {
  /** Entries of `operatorKinds` are about no project and no user, so no list has them. */
  kind: ActivityKind
  named: string | null
  settings: Settings | null
}
/** A subscription's entries, newest first. `search` looks in people's names and addresses. */
export async function list(
  db: Db,
  subscriptionId: string,
  { search, kinds, ...page }: Wish & { search?: string | undefined },
) {
  const wanted = search || null
  const isOf = sql`activity.subscription_id = ${subscriptionId}
    and (${wanted}::text is null or ${isAbout(wanted, subscriptionId)})`
  return toPage(await askPage<Row>(db, 'activity_of_subscription', listing(isOf, kinds), page))
}

export function hasRefund(db: Db, subscriptionId: string, refundId: string) {
  return some(db, 'activity_refund')`
    select from activity where subscription_id = ${subscriptionId}
      and kind = 'paymentRefunded' and details->>'refund' = ${refundId} limit 1`
}

/** Entries by and about a user, newest first. They don't name subscriptions that the user left. */
export async function listOf(db: Db, userId: string, { kinds, ...page }: Wish) {
  const isOf = sql`activity.actor_id = ${userId} or activity.subject_id = ${userId}`
  const mayName = sql`exists (select from members where subscription_id = s.id and user_id = ${userId})`
  return toPage(await askPage<Row>(db, 'activity_of_user', listing(isOf, kinds, mayName), page))
}

const newestWhere = (condition: SQL) => sql`(
  select id from activity where ${condition} order by id desc limit ${exportedAtOnce})`

// Each index gives its entries in order, so that a page costs the same wherever it begins.
/** The newest entries of a subscription, at most so many, in pages. */
export function eachOf(db: Db, subscriptionId: string, most: number) {
  return exported(
    most,
    (before) => all<Row>(db, 'activity_exported_of_subscription')`
    select ${columns(activity)}, s.id named, s.settings
    from activity join subscriptions s on s.id = activity.subscription_id
    where activity.subscription_id = ${subscriptionId} and activity.id < ${before}::bigint
    order by activity.id desc limit ${exportedAtOnce}`,
  )
}

/** The newest entries by and about a user, in pages. They name what those of `listOf` name. */
export function eachOfUser(db: Db, userId: string, most: number) {
  return exported(
    most,
    (before) => all<Row>(db, 'activity_exported_of_user')`
    with mine as (
      ${newestWhere(sql`actor_id = ${userId} and id < ${before}::bigint`)}
      union ${newestWhere(sql`subject_id = ${userId} and id < ${before}::bigint`)}
      order by id desc limit ${exportedAtOnce})
    select ${columns(activity)}, s.id named, s.settings
    from mine join activity on activity.id = mine.id
      left join subscriptions s on s.id = activity.subscription_id
        and exists (select from members where subscription_id = s.id and user_id = ${userId})
    order by activity.id desc`,
  )
}

async function* exported(most: number, ask: (before: number) => Promise<Row[]>) {
  let left = most
  for await (const rows of eachPage<Row>((last) => ask(last?.id ?? Number.MAX_SAFE_INTEGER))) {
    yield rows.slice(0, left).map(toEntity)
    left -= rows.length
    if (left <= 0) return
  }
}

/** What operators did, newest first. */
export function listOfOperators(db: Db, limit: number) {
  return all<typeof activity.$inferSelect>(db, 'activity_of_operators')`
    select ${columns(activity)} from activity where details ? 'operator' order by id desc limit ${limit}`
}

type Forgotten = { id: string; email: string; claimed: boolean }

/**
 * Deletes a user's account entries. Empties the user's name in entries of subscriptions, and an
 * address that is theirs wherever they acted or were invited.
 */
export async function forget(db: Db, { id, email, claimed }: Forgotten) {
  await run(db, 'activity_forget_subject')`
    update activity set subject = '' where subject_id = ${id} or subject = ${email} and (
      subscription_id in (select subscription_id from activity where actor_id = ${id})
      or subscription_id in (select subscription_id from invites where email = ${email} and ${claimed}))`
  await run(db, 'activity_remove_of_account')`
    delete from activity where (actor_id = ${id} or subject_id = ${id}) and subscription_id is null`
  await run(db, 'activity_forget_actor')`
    update activity set actor_name = '' where actor_id = ${id}`
}

export function removeOlder(db: Db, than: Date) {
  return run(db, 'activity_remove_older')`delete from activity where at < ${than}`
}

/** Searches the names that an entry keeps, and the present names and addresses of members. */
function isAbout(search: string | null, subscriptionId: string) {
  const called = sql`select u.id from members m join users u on u.id = m.user_id
    where m.subscription_id = ${subscriptionId} and ${isIn(search, sql`(u.display_name || ' ' || u.email)`)}`
  return sql`(${isIn(search, sql`(coalesce(actor_name, '') || ' ' || coalesce(subject, ''))`)}
    or actor_id in (${called}) or subject_id in (${called}))`
}

function toPage({ rows, total }: { rows: Row[]; total: number }) {
  return { activity: rows.map(toEntity), total }
}

function toEntity({ id, at, kind, actorId, actorName, subject, details, ...row }: Row): Activity {
  return {
    id: String(id),
    created: seconds(at),
    kind,
    actor: actorName === null ? null : { id: actorId ?? '', name: actorName },
    subject,
    subscription: row.named === null ? null : { id: row.named, name: projectName(row.settings!) },
    details: row.named === null ? withoutNames(details) : details,
  }
}

/** The names that a project had say what it is to people who are not in it. */
function withoutNames(details: Row['details']) {
  if (details['fields'] === undefined) return details
  const { from: _from, to: _to, ...others } = details
  return others
}
