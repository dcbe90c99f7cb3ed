import type { ActivityKind, RecordedKind } from '#contract/activity.ts'
import type { Activity } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { Settings } from '#contract/settings.ts'
import { and, desc, eq, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { seconds } from '../platform/time.ts'
import type { Db } from '../sql/database.ts'
import { eachPage, exportedAtOnce, pages, type Page } from '../sql/pages.ts'
import { isIn } from './fold.ts'
import { activity, invites } from './schema.ts'
import { columns, statement } from '../sql/statement.ts'

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
export const add = statement<NewEntry>(
  'activity_add',
  ({ at, kind, subscriptionId, actorId, actorName, subjectId, subject, details }) => sql`
    insert into activity (at, kind, subscription_id, actor_id, actor_name, subject_id, subject, details)
    values (${at}, ${kind}, ${subscriptionId}, ${actorId}, ${actorName}, ${subjectId},
      coalesce(${subject}, (select display_name from users where id = ${subjectId})), ${details}::jsonb)`,
  { log: 'activity' },
).send

/** Entries that don't meet the condition `mayName` come without their subscription. */
const listing = (isOf: SQL, kinds: SQL, mayName = sql`true`) => {
  const condition = sql`(${isOf}) and (${kinds}::text[] is null or activity.kind = any(${kinds}))`
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
type OfKinds = { kinds: readonly ActivityKind[] | undefined }
type InSubscription = OfKinds & { subscriptionId: string; search: string | null }

const ofSubscription = pages<InSubscription, Row>(
  'activity_of_subscription',
  ({ subscriptionId, search, kinds }) =>
    listing(
      sql`activity.subscription_id = ${subscriptionId}
        and (${search}::text is null or ${isAbout(search, subscriptionId)})`,
      kinds,
    ),
)

/** A subscription's entries, newest first. `search` looks in people's names and addresses. */
export async function list(
  db: Db,
  subscriptionId: string,
  { search, kinds, ...page }: Wish & { search?: string | undefined },
) {
  return toPage(await ofSubscription(db, { subscriptionId, search: search || null, kinds }, page))
}

const refundOf = statement<{ subscriptionId: string; refundId: string }, { id: number }>(
  'activity_refund',
  ({ subscriptionId, refundId }) => sql`
    select id from activity where subscription_id = ${subscriptionId}
      and kind = 'paymentRefunded' and details->>'refund' = ${refundId} limit 1`,
)

export async function hasRefund(db: Db, subscriptionId: string, refundId: string) {
  return (await refundOf.first(db, { subscriptionId, refundId })) !== undefined
}

const ofUser = pages<OfKinds & { userId: string }, Row>('activity_of_user', ({ userId, kinds }) =>
  listing(
    sql`activity.actor_id = ${userId} or activity.subject_id = ${userId}`,
    kinds,
    sql`exists (select from members where subscription_id = s.id and user_id = ${userId})`,
  ),
)

/** Entries by and about a user, newest first. They don't name subscriptions that the user left. */
export async function listOf(db: Db, userId: string, { kinds, ...page }: Wish) {
  return toPage(await ofUser(db, { userId, kinds }, page))
}

type Exporting = { of: string; before: number }

const exportedOfSubscription = statement<Exporting, Row>(
  'activity_exported_of_subscription',
  ({ of, before }) => sql`
    select ${columns(activity)}, s.id named, s.settings
    from activity join subscriptions s on s.id = activity.subscription_id
    where activity.subscription_id = ${of} and activity.id < ${before}::bigint
    order by activity.id desc limit ${exportedAtOnce}`,
)

const newestWhere = (condition: SQL) => sql`(
  select id from activity where ${condition} order by id desc limit ${exportedAtOnce})`

// Each index gives its entries in order, so that a page costs the same wherever it begins.
const exportedOfUser = statement<Exporting, Row>(
  'activity_exported_of_user',
  ({ of, before }) => sql`
    with mine as (
      ${newestWhere(sql`actor_id = ${of} and id < ${before}::bigint`)}
      union ${newestWhere(sql`subject_id = ${of} and id < ${before}::bigint`)}
      order by id desc limit ${exportedAtOnce})
    select ${columns(activity)}, s.id named, s.settings
    from mine join activity on activity.id = mine.id
      left join subscriptions s on s.id = activity.subscription_id
        and exists (select from members where subscription_id = s.id and user_id = ${of})
    order by activity.id desc`,
)

/** The newest entries of a subscription, at most so many, in pages. */
export function eachOf(db: Db, subscriptionId: string, most: number) {
  return exported(most, (before) => exportedOfSubscription.all(db, { of: subscriptionId, before }))
}

/** The newest entries by and about a user, in pages. They name what those of `listOf` name. */
export function eachOfUser(db: Db, userId: string, most: number) {
  return exported(most, (before) => exportedOfUser.all(db, { of: userId, before }))
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
export async function listOfOperators(db: Db, limit: number) {
  return db
    .select()
    .from(activity)
    .where(sql`${activity.details} ? 'operator'`)
    .orderBy(desc(activity.id))
    .limit(limit)
}

type Forgotten = { id: string; email: string; claimed: boolean }

/**
 * Deletes a user's account entries. Empties the user's name in entries of subscriptions, and an
 * address that is theirs wherever they acted or were invited.
 */
export async function forget(db: Db, { id, email, claimed }: Forgotten) {
  const actedIn = db
    .select({ id: activity.subscriptionId })
    .from(activity)
    .where(eq(activity.actorId, id))
  const invitedTo = db
    .select({ id: invites.subscriptionId })
    .from(invites)
    .where(and(eq(invites.email, email), sql`${claimed}`))
  await db
    .update(activity)
    .set({ subject: '' })
    .where(
      or(
        eq(activity.subjectId, id),
        and(
          eq(activity.subject, email),
          or(
            inArray(activity.subscriptionId, actedIn),
            inArray(activity.subscriptionId, invitedTo),
          ),
        ),
      ),
    )
  await db.delete(activity).where(and(concerns(id), isNull(activity.subscriptionId)))
  await db.update(activity).set({ actorName: '' }).where(eq(activity.actorId, id))
}

export async function removeOlder(db: Db, than: Date) {
  await db.delete(activity).where(lt(activity.at, than))
}

function concerns(userId: string) {
  return or(eq(activity.actorId, userId), eq(activity.subjectId, userId))
}

/** Searches the names that an entry keeps, and the present names and addresses of members. */
function isAbout(search: SQL, subscriptionId: SQL) {
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
