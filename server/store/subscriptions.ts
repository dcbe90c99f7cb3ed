import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type { Subscription } from '#contract/entities.ts'
import type { Settings } from '#contract/settings.ts'
import { and, desc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
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

const ofUser = preparedOn((db) =>
  withMembers(db)
    .innerJoin(
      mine,
      and(eq(mine.subscriptionId, subscriptions.id), eq(mine.userId, sql.placeholder('userId'))),
    )
    .where(ne(subscriptions.status, 'incomplete'))
    .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id))
    .prepare('subscriptions_of_user'),
)

type Page = { page: number; pageSize: number; search: string | undefined; sort: 'newest' | 'name' }

/** `search` finds a part of the name or the whole id. By name, those without one come last. */
export async function pageOf(
  db: Db,
  userId: string,
  { page, pageSize, search, sort }: Page,
): Promise<{ subscriptions: Subscription[]; total: number }> {
  const { id, status, settings, createdAt } = subscriptions
  const name = sql`lower(coalesce(${settings} ->> 'name', ''))`
  const isMine = and(eq(mine.subscriptionId, id), eq(mine.userId, userId))
  const isFound = and(
    ne(status, 'incomplete'),
    search ? sql`(position(lower(${search}) in ${name}) > 0 or ${id} = ${search})` : undefined,
  )
  const order = sort === 'name' ? [sql`${name} = ''`, name, id] : [desc(createdAt), desc(id)]
  const [rows, total] = await Promise.all([
    withMembers(db)
      .innerJoin(mine, isMine)
      .where(isFound)
      .orderBy(...order)
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.$count(
      db.select({ id }).from(subscriptions).innerJoin(mine, isMine).where(isFound).as('found'),
    ),
  ])
  return { subscriptions: rows.map(toEntity), total }
}

export async function listOf(db: Db, userId: string) {
  const rows = await ofUser(db).execute({ userId })
  return rows.map(toEntity)
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

function toEntity({ row, held }: { row: Row; held: Held }): Subscription {
  const permissions: Subscription['permissions'] = {}
  for (const [userId, keys] of held) for (const key of keys) (permissions[key] ??= []).push(userId)
  return {
    id: row.id,
    owner_id: row.ownerId ?? '',
    plan_id: row.planId,
    status: row.status === 'canceled' ? 'canceled' : 'active',
    payment: row.payment,
    renews: row.renewsAt && seconds(row.renewsAt),
    weekly: row.weeklyAmount,
    currency: row.currency,
    ends: row.endsAt && seconds(row.endsAt),
    is_paused: row.collectionPaused,
    needs_card: row.status === 'active' && row.providerSubscriptionId !== null && !row.hasCard,
    settings: row.settings,
    permissions,
    created: seconds(row.createdAt),
  }
}
