import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type { Person, Subscription, SubscriptionWithPeople } from '#contract/entities.ts'
import type { Settings } from '#contract/settings.ts'
import { and, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { chargesOf, chargeWithoutCard } from './charges.ts'
import type { Db } from './database.ts'
import { seconds } from '../platform/time.ts'
import { members, subscriptions, users, withoutPayment } from './schema.ts'
import { ask, columns, statement } from './statement.ts'

type Row = typeof subscriptions.$inferSelect
type NewSubscription = {
  id: string
  ownerId: string
  planId: PlanId
  status: 'active' | 'incomplete'
  permissions: PermissionKey[]
  now: Date
}

/** Adds a subscription with its owner as the first member. False if the id exists. */
export async function add(db: Db, { permissions, now, ...subscription }: NewSubscription) {
  const { rowCount } = await db
    .insert(subscriptions)
    .values({ ...subscription, createdAt: now })
    .onConflictDoNothing()
  if (rowCount === 0) return false
  await db.insert(members).values({
    subscriptionId: subscription.id,
    userId: subscription.ownerId,
    permissions,
    createdAt: now,
  })
  return true
}

/** Changes of members, seats, status or ownership lock this row. New rows may refer to it. */
export const lock = statement<{ id: string }>(
  'subscription_lock',
  ({ id }) => sql`select from subscriptions where id = ${id} for no key update`,
).send

const locked = statement<{ id: string }, Row>(
  'subscription_lock_row',
  ({ id }) => sql`
    select ${columns(subscriptions)} from subscriptions where id = ${id} for no key update`,
)

/** Locks the row as `lock` does, and returns it. */
export async function lockRow(db: Db, id: string) {
  return locked.first(db, { id })
}

/** Locks all subscriptions that a user is in, in the order of their ids. Returns the ids. */
export async function lockAllOf(db: Db, userId: string) {
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      inArray(
        subscriptions.id,
        db.select({ id: members.subscriptionId }).from(members).where(eq(members.userId, userId)),
      ),
    )
    .orderBy(subscriptions.id)
    .for('no key update')
  return rows.map(({ id }) => id)
}

const held = sql`(
  select coalesce(json_agg(json_build_array(user_id, permissions) order by created_at, user_id), '[]')
  from members where subscription_id = subscriptions.id)`

const shownColumns = [
  'id',
  'ownerId',
  'planId',
  'status',
  'payment',
  'settings',
  'createdAt',
  'renewsAt',
  'weeklyAmount',
  'currency',
  'endsAt',
  'collectionPaused',
  'hasCard',
] as const

const shown = sql`${columns(subscriptions, [...shownColumns])}, ${held} held`

const byId = statement<{ id: string }, Shown>(
  'subscription',
  ({ id }) => sql`
    select ${shown}
    from subscriptions where id = ${id} and status <> 'incomplete'`,
)

/** The subscription as the app gets it. Undefined while it waits for its first payment. */
export async function find(db: Db, id: string) {
  const row = await byId.first(db, { id })
  return row && toEntity(row)
}

const newest = sql`subscriptions.status = 'canceled', subscriptions.created_at desc, subscriptions.id desc`

const ofUser = statement<{ userId: string }, Shown>(
  'subscriptions_of_user',
  ({ userId }) => sql`
    select ${shown}
    from subscriptions join members mine on mine.subscription_id = subscriptions.id and mine.user_id = ${userId}
    where status <> 'incomplete' order by ${newest}`,
)

export async function listOf(db: Db, userId: string) {
  return (await ofUser.all(db, { userId })).map(toEntity)
}

const seenBy = statement<Viewer, ShownWithPeople>(
  'subscriptions_with_people',
  (viewer) => sql`${withPeople(viewer)} where status <> 'incomplete' order by ${newest}`,
)

/** Who looks at people, and the permissions that make an administrator. */
type Viewer = { userId: string; admins: PermissionKey[] }

export async function listWithPeople(db: Db, viewer: Viewer) {
  return (await seenBy.all(db, viewer)).map(withPeopleToEntity)
}

type Page = { page: number; pageSize: number; search: string | undefined; sort: 'newest' | 'name' }

/**
 * `search` finds a part of the name or the whole id. Canceled ones come last, and by name those
 * without one.
 */
export async function pageOf(
  db: Db,
  viewer: Viewer,
  { page, pageSize, search, sort }: Page,
): Promise<{ subscriptions: SubscriptionWithPeople[]; total: number }> {
  const name = sql`lower(coalesce(settings ->> 'name', ''))`
  const isFound = sql`status <> 'incomplete'${
    search ? sql` and (position(lower(${search}) in ${name}) > 0 or id = ${search})` : sql``
  }`
  const order =
    sort === 'name' ? sql`status = 'canceled', ${name} = '', ${name}, subscriptions.id` : newest
  const asked = { userId: sql`${viewer.userId}`, admins: sql`${sql.param(viewer.admins)}` }
  const [rows, [found]] = await Promise.all([
    ask<ShownWithPeople>(
      db,
      sql`${withPeople(asked)} where ${isFound} order by ${order}
        limit ${sql.raw(String(pageSize))} offset ${(page - 1) * pageSize}`,
    ),
    ask<{ total: number }>(
      db,
      sql`select count(*) total from subscriptions join members mine on ${isMineOf(asked)} where ${isFound}`,
    ),
  ])
  return { subscriptions: rows.map(withPeopleToEntity), total: found!.total }
}

const peopleSeenBy = statement<{ id: string } & Viewer, { people: Person[] }>(
  'subscription_people',
  (given) => sql`
    select ${peopleFor(given)} people
    from subscriptions join members mine on ${isMineOf(given)} where id = ${given.id}`,
)

/** The people of a subscription whom this member may see. */
export async function listPeople(db: Db, id: string, viewer: Viewer) {
  return (await peopleSeenBy.first(db, { id, ...viewer }))?.people ?? []
}

/** Locks an owner before the caller counts what they own. False if the account is deleted. */
export async function lockOwner(db: Db, ownerId: string) {
  const isOwner = eq(users.id, ownerId)
  const rows = await db.select({ id: users.id }).from(users).where(isOwner).for('no key update')
  return rows.length === 1
}

/** Counts an owner's other active subscriptions that have one of these plans or change to one. */
export async function countOthersOf(db: Db, ownerId: string, planIds: PlanId[], id: string) {
  const { ownerId: owner, planId, nextPlanId, status } = subscriptions
  return db.$count(
    subscriptions,
    and(
      eq(owner, ownerId),
      eq(status, 'active'),
      or(inArray(planId, planIds), inArray(nextPlanId, planIds)),
      ne(subscriptions.id, id),
    ),
  )
}

/** Removes an owner from canceled subscriptions and from purchases that were not paid. */
export async function disown(db: Db, ownerId: string) {
  await db
    .update(subscriptions)
    .set({ ownerId: null })
    .where(and(eq(subscriptions.ownerId, ownerId), ne(subscriptions.status, 'active')))
}

const changed = statement<{ id: string; settings: string }>(
  'subscription_set_settings',
  ({ id, settings }) => sql`
    update subscriptions set settings = settings || ${settings}::jsonb where id = ${id}`,
)

/** Replaces the fields that are given. */
export async function setSettings(db: Db, id: string, settings: Settings) {
  await changed.send(db, { id, settings: JSON.stringify(settings) })
}

export async function setOwner(db: Db, id: string, ownerId: string) {
  await db.update(subscriptions).set({ ownerId }).where(eq(subscriptions.id, id))
}

/** Cancels an active subscription. Of several callers at once, exactly one gets true. */
export async function cancel(db: Db, id: string) {
  const { rowCount } = await db
    .update(subscriptions)
    .set({ status: 'canceled', ...withoutPayment, nextPlanId: null, requestedBy: null })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.status, 'active')))
  return rowCount === 1
}

export async function removeIncomplete(db: Db, id: string) {
  await db
    .delete(subscriptions)
    .where(and(eq(subscriptions.id, id), eq(subscriptions.status, 'incomplete')))
}

type Shown = Pick<Row, (typeof shownColumns)[number]> & {
  held: [userId: string, permissions: PermissionKey[]][]
}
type ShownWithPeople = Shown & { people: Person[] }

/** How many people are shown with a subscription. */
const mostPeople = 6

function withPeople(viewer: Asked) {
  return sql`select ${shown}, ${peopleFor(viewer)} people
    from subscriptions join members mine on ${isMineOf(viewer)}`
}

type Asked = Record<keyof Viewer, SQL>

function isMineOf({ userId }: Pick<Asked, 'userId'>) {
  return sql`mine.subscription_id = subscriptions.id and mine.user_id = ${userId}`
}

/** The owner, then administrators, then others as they joined. Only administrators see others. */
function peopleFor({ admins }: Pick<Asked, 'admins'>) {
  return sql`(
  select coalesce(json_agg(json_build_object('id', id, 'name', name, 'avatar_url', avatar_url) order by place), '[]')
  from (
    select *, row_number() over (order by is_owner desc, is_admin desc, created_at, id) place
    from (
      select u.id, u.display_name as name, u.avatar_url, m.created_at,
        u.id is not distinct from subscriptions.owner_id is_owner, m.permissions && ${admins}::text[] is_admin
      from members m join users u on u.id = m.user_id
      where m.subscription_id = subscriptions.id
    ) everybody
    where is_owner or is_admin or id = mine.user_id or mine.permissions && ${admins}::text[]
    order by place limit ${sql.raw(String(mostPeople))}
  ) shown)`
}

function withPeopleToEntity({ people, ...row }: ShownWithPeople) {
  return { ...toEntity(row), people }
}

function toEntity({ held, ...row }: Shown): Subscription {
  const permissions: Subscription['permissions'] = {}
  for (const [userId, keys] of held) for (const key of keys) (permissions[key] ??= []).push(userId)
  return {
    id: row.id,
    owner_id: row.ownerId ?? '',
    plan_id: row.planId,
    status: row.status === 'canceled' ? 'canceled' : 'active',
    payment: row.payment,
    ...chargesOf(row),
    weekly: row.weeklyAmount,
    currency: row.currency,
    needs_card: row.status === 'active' && chargeWithoutCard(row) !== undefined,
    settings: row.settings,
    permissions,
    created: seconds(row.createdAt),
  }
}
