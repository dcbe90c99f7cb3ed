import type { ActivityKind } from '#contract/activity.ts'
import type { Activity } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import { and, desc, eq, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { seconds } from '../platform/time.ts'
import type { Db } from './database.ts'
import { activity, members, subscriptions } from './schema.ts'
import { statement } from './statement.ts'

type Page = { page: number; pageSize: number; kinds?: readonly ActivityKind[] | undefined }

type NewEntry = {
  at: Date
  kind: ActivityKind
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
).send

/** A subscription's entries, newest first. `search` looks in people's names and addresses. */
export async function list(
  db: Db,
  subscriptionId: string,
  { search, ...page }: Page & { search?: string | undefined },
) {
  const isOf = eq(activity.subscriptionId, subscriptionId)
  return pageOf(db, search ? and(isOf, isAbout(search, subscriptionId)) : isOf, page)
}

/** Entries by and about a user, newest first. They don't name subscriptions that the user left. */
export async function listOf(db: Db, userId: string, page: Page) {
  const isIn = sql`exists (select from ${members} where ${members.subscriptionId} = ${activity.subscriptionId} and ${members.userId} = ${userId})`
  return pageOf(db, concerns(userId), page, isIn)
}

/** Deletes a user's account entries. Empties the user's name in entries of subscriptions. */
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

/** Searches the names that an entry keeps, and the present names and addresses of members. */
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

/** Entries that don't meet the condition `mayName` come without their subscription. */
async function pageOf(
  db: Db,
  condition: SQL | undefined,
  { page, pageSize, kinds }: Page,
  mayName?: SQL,
) {
  const where = and(condition, kinds && inArray(activity.kind, [...kinds]))
  const [rows, total] = await Promise.all([
    db
      .select({ entry: activity, id: subscriptions.id, settings: subscriptions.settings })
      .from(activity)
      .leftJoin(subscriptions, and(eq(subscriptions.id, activity.subscriptionId), mayName))
      .where(where)
      .orderBy(desc(activity.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.$count(activity, where),
  ])
  const entries = rows.map(({ entry, id, settings }): Activity => ({
    id: String(entry.id),
    created: seconds(entry.at),
    kind: entry.kind,
    actor: entry.actorName === null ? null : { id: entry.actorId ?? '', name: entry.actorName },
    subject: entry.subject,
    subscription: id === null ? null : { id, name: projectName(settings!) },
    details: entry.details,
  }))
  return { activity: entries, total }
}
