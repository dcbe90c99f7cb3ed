import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type { Person, Subscription, SubscriptionWithPeople } from '#contract/entities.ts'
import type { Settings } from '#contract/settings.ts'
import { and, desc, eq, inArray, ne, or, sql, type Placeholder, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { chargesOf, chargeWithoutCard } from './charges.ts'
import type { Db } from './database.ts'
import { seconds } from '../platform/time.ts'
import { preparedOn } from './prepared.ts'
import { members, subscriptions, users, withoutPayment } from './schema.ts'

const mine = alias(members, 'mine')

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
export async function lock(db: Db, id: string) {
  const isThis = eq(subscriptions.id, id)
  const [row] = await db.select().from(subscriptions).where(isThis).for('no key update')
  return row
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

const byId = preparedOn((db) =>
  withMembers(db)
    .where(and(eq(subscriptions.id, sql.placeholder('id')), ne(subscriptions.status, 'incomplete')))
    .prepare('subscription_by_id'),
)

/** The subscription as the app gets it. Undefined while it waits for its first payment. */
export async function find(db: Db, id: string) {
  const [row] = await byId(db).execute({ id })
  return row && toEntity(row)
}

const isCanceled = sql`${subscriptions.status} = 'canceled'`
const newest = [isCanceled, desc(subscriptions.createdAt), desc(subscriptions.id)]

const ofUser = preparedOn((db) =>
  withMembers(db)
    .innerJoin(mine, isOf(sql.placeholder('userId')))
    .where(ne(subscriptions.status, 'incomplete'))
    .orderBy(...newest)
    .prepare('subscriptions_of_user'),
)

export async function listOf(db: Db, userId: string) {
  const rows = await ofUser(db).execute({ userId })
  return rows.map(toEntity)
}

const seenBy = preparedOn((db) =>
  withPeople(db, { userId: sql.placeholder('userId'), admins: sql.placeholder('admins') })
    .where(ne(subscriptions.status, 'incomplete'))
    .orderBy(...newest)
    .prepare('subscriptions_with_people'),
)

/** Who looks at people, and the permissions that make an administrator. */
type Viewer = { userId: string; admins: PermissionKey[] }

export async function listWithPeople(db: Db, viewer: Viewer) {
  const rows = await seenBy(db).execute(viewer)
  return rows.map(withPeopleToEntity)
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
  const { id, status, settings } = subscriptions
  const name = sql`lower(coalesce(${settings} ->> 'name', ''))`
  const isFound = and(
    ne(status, 'incomplete'),
    search ? sql`(position(lower(${search}) in ${name}) > 0 or ${id} = ${search})` : undefined,
  )
  const order = sort === 'name' ? [isCanceled, sql`${name} = ''`, name, id] : newest
  const [rows, total] = await Promise.all([
    withPeople(db, viewer)
      .where(isFound)
      .orderBy(...order)
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.$count(
      db
        .select({ id })
        .from(subscriptions)
        .innerJoin(mine, isOf(viewer.userId))
        .where(isFound)
        .as('found'),
    ),
  ])
  return { subscriptions: rows.map(withPeopleToEntity), total }
}

/** The people of a subscription whom this member may see. */
export async function listPeople(db: Db, id: string, { userId, admins }: Viewer) {
  const [row] = await db
    .select({ people: peopleFor(admins) })
    .from(subscriptions)
    .innerJoin(mine, isOf(userId))
    .where(eq(subscriptions.id, id))
  return row?.people ?? []
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

export async function setSettings(db: Db, id: string, settings: Settings) {
  await db
    .update(subscriptions)
    .set({ settings: sql`${subscriptions.settings} || ${JSON.stringify(settings)}::jsonb` })
    .where(eq(subscriptions.id, id))
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

type Held = [userId: string, permissions: PermissionKey[]][]

const held = sql<Held>`(select coalesce(json_agg(json_build_array(user_id, permissions) order by created_at, user_id), '[]')
  from members where subscription_id = ${subscriptions.id})`

function withMembers(db: Db) {
  return db.select({ row: subscriptions, held }).from(subscriptions).$dynamic()
}

/** How many people are shown with a subscription. */
const mostPeople = 6

/** The owner, then administrators, then others as they joined. Only administrators see others. */
function peopleFor(admins: PermissionKey[] | Placeholder) {
  const administers = (permissions: SQLWrapper) =>
    sql`${permissions} && ${sql.param(admins)}::text[]`
  return sql<Person[]>`(
  select coalesce(json_agg(json_build_object('id', id, 'name', name, 'avatar_url', avatar_url) order by place), '[]')
  from (
    select *, row_number() over (order by is_owner desc, is_admin desc, created_at, id) place
    from (
      select u.id, u.display_name as name, u.avatar_url, m.created_at,
        u.id is not distinct from ${subscriptions.ownerId} is_owner, ${administers(sql`m.permissions`)} is_admin
      from members m join users u on u.id = m.user_id
      where m.subscription_id = ${subscriptions.id}
    ) everybody
    where is_owner or is_admin or id = ${mine.userId} or ${administers(mine.permissions)}
    order by place limit ${sql.raw(String(mostPeople))}
  ) shown)`
}

type Asked = { userId: string | Placeholder; admins: PermissionKey[] | Placeholder }

function withPeople(db: Db, { userId, admins }: Asked) {
  return db
    .select({ row: subscriptions, held, people: peopleFor(admins) })
    .from(subscriptions)
    .innerJoin(mine, isOf(userId))
    .$dynamic()
}

function isOf(userId: string | Placeholder) {
  return and(eq(mine.subscriptionId, subscriptions.id), eq(mine.userId, userId))
}

function withPeopleToEntity({ people, ...row }: { row: Row; held: Held; people: Person[] }) {
  return { ...toEntity(row), people }
}

function toEntity({ row, held }: { row: Row; held: Held }): Subscription {
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
