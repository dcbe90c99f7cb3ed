import type { ActivityKind } from '#contract/activity.ts'
import type { Activity } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { Settings } from '#contract/settings.ts'
import { and, desc, eq, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { seconds } from '../platform/time.ts'
import type { Db } from './database.ts'
import { activity, members, subscriptions } from './schema.ts'

type Page = { page: number; pageSize: number; kinds: readonly ActivityKind[] | undefined }

export async function add(db: Db, entry: typeof activity.$inferInsert) {
  await db.insert(activity).values(entry)
}

/** A subscription's entries, newest first. Search looks in the names and addresses of people. */
export async function list(
  db: Db,
  subscriptionId: string,
  { search, ...page }: Page & { search?: string | undefined },
) {
  return pageOf(
    ofProject(db),
    and(
      eq(activity.subscriptionId, subscriptionId),
      search ? isAbout(search, subscriptionId) : undefined,
    ),
    page,
    db,
  )
}

/** Entries by and about a user, newest first. Subscriptions they have left have no name. */
export async function listOf(db: Db, userId: string, page: Page) {
  return pageOf(ofMember(db, userId), concerns(userId), page, db)
}

export async function all(db: Db, subscriptionId: string, limit: number) {
  return read(ofProject(db).where(eq(activity.subscriptionId, subscriptionId)), { limit })
}

export async function allOf(db: Db, userId: string, limit: number) {
  return read(ofMember(db, userId).where(concerns(userId)), { limit })
}

/** Deletes the entries about an account, and its name from those in subscriptions. */
export async function forget(db: Db, { id, email }: { id: string; email: string }) {
  const actedIn = db
    .select({ id: activity.subscriptionId })
    .from(activity)
    .where(eq(activity.actorId, id))
  await db
    .update(activity)
    .set({ subject: '' })
    .where(
      or(
        eq(activity.subjectId, id),
        and(eq(activity.subject, email), inArray(activity.subscriptionId, actedIn)),
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

/** By the names at the time, and by the members' present names and addresses. */
function isAbout(search: string, subscriptionId: string) {
  const isIn = (text: SQL) => sql`position(lower(${search}) in lower(${text})) > 0`
  const called = sql`select u.id from members m join users u on u.id = m.user_id
    where m.subscription_id = ${subscriptionId} and ${isIn(sql`u.display_name || ' ' || u.email`)}`
  return or(
    isIn(sql`coalesce(${activity.actorName}, '') || ' ' || coalesce(${activity.subject}, '')`),
    sql`${activity.actorId} in (${called})`,
    sql`${activity.subjectId} in (${called})`,
  )
}

type Query = ReturnType<typeof ofProject>

async function pageOf(
  query: Query,
  condition: SQL | undefined,
  { page, pageSize, kinds }: Page,
  db: Db,
) {
  const where = and(condition, kinds && inArray(activity.kind, [...kinds]))
  const [entries, total] = await Promise.all([
    read(query.where(where), { limit: pageSize, offset: (page - 1) * pageSize }),
    db.$count(activity, where),
  ])
  return { activity: entries, total }
}

async function read(query: Query, { limit, offset = 0 }: { limit: number; offset?: number }) {
  const rows = await query.orderBy(desc(activity.id)).limit(limit).offset(offset)
  return rows.map(toEntity)
}

function ofProject(db: Db) {
  return select(db)
    .leftJoin(subscriptions, eq(subscriptions.id, activity.subscriptionId))
    .$dynamic()
}

/** Only members read a subscription's name. */
function ofMember(db: Db, userId: string): Query {
  const isIn = sql`exists (select from ${members} where ${members.subscriptionId} = ${activity.subscriptionId} and ${members.userId} = ${userId})`
  return select(db)
    .leftJoin(subscriptions, and(eq(subscriptions.id, activity.subscriptionId), isIn))
    .$dynamic()
}

function select(db: Db) {
  return db
    .select({
      entry: activity,
      subscription: { id: subscriptions.id, settings: subscriptions.settings },
    })
    .from(activity)
}

type Row = {
  entry: typeof activity.$inferSelect
  subscription: { id: string; settings: Settings } | null
}

function toEntity({ entry, subscription }: Row): Activity {
  return {
    id: String(entry.id),
    created: seconds(entry.at),
    kind: entry.kind,
    actor: entry.actorName === null ? null : { id: entry.actorId ?? '', name: entry.actorName },
    subject: entry.subject,
    subscription: subscription && { id: subscription.id, name: projectName(subscription.settings) },
    details: entry.details,
  }
}
