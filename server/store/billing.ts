import type { PlanId } from '#config/plans.ts'
import type { PaymentState } from '#contract/entities.ts'
import { and, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { subscriptions } from './schema.ts'

export type BillingRow = typeof subscriptions.$inferSelect

/** What is kept of a project about paying for it, whatever its status. */
export async function find(db: Db, id: string) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

/** Some ids of customers at the provider. */
export async function listCustomers(db: Db, limit: number) {
  const rows = await db
    .select({ id: subscriptions.customerId })
    .from(subscriptions)
    .where(isNotNull(subscriptions.customerId))
    .orderBy(subscriptions.customerId)
    .limit(limit)
  return rows.map(({ id }) => id!)
}

/** The project that a customer at the provider stands for. */
export async function findByCustomer(db: Db, customerId: string) {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.customerId, customerId))
  return row
}

export async function findByPlan(db: Db, providerSubscriptionId: string) {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.providerSubscriptionId, providerSubscriptionId))
  return row
}

/** Gives the billing of a project to one at a time: `taken` until then, `busy`, or `missing` where there is no such project. */
export async function takeTurn(db: Db, id: string, { now, until }: { now: Date; until: Date }) {
  const { rows } = await db.execute<{ taken: boolean }>(sql`
    with turn as (
      update subscriptions set billing_lease_until = ${until} where id = ${id} and (billing_lease_until is null or billing_lease_until <= ${now}) returning id
    )
    select turn.id is not null taken from subscriptions left join turn using (id) where subscriptions.id = ${id}`)
  if (rows.length === 0) return 'missing'
  return rows[0]!.taken ? 'taken' : 'busy'
}

/** Ends a turn, unless it took so long that it is somebody else's by now. */
export async function endTurn(db: Db, id: string, until: Date) {
  await db
    .update(subscriptions)
    .set({ billingLeaseUntil: null })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.billingLeaseUntil, until)))
}

/** Turns of servers that are gone. */
export async function endAllTurns(db: Db) {
  await db
    .update(subscriptions)
    .set({ billingLeaseUntil: null })
    .where(isNotNull(subscriptions.billingLeaseUntil))
}

export async function takeTicket(db: Db) {
  const { rows } = await db.execute<{ ticket: number }>(sql`select nextval('sync_tickets') ticket`)
  return rows[0]!.ticket
}

type Billing = {
  status?: 'active'
  planId?: PlanId
  payment?: PaymentState
  customerId?: string
  providerSubscriptionId?: string | null
  renewsAt?: Date | null
  weeklyAmount?: number | null
  currency?: string | null
  endsAt?: Date | null
  collectionPaused?: boolean
  hasCard?: boolean
  nextPlanId?: PlanId | null
  requestedBy?: string
  synced?: number
  billingEmail?: string | null
  receipts?: boolean
}

/** When nothing is under way any more, nobody has asked for it. */
export async function set(db: Db, id: string, billing: Billing) {
  await db
    .update(subscriptions)
    .set({ ...billing, ...(billing.nextPlanId === null && { requestedBy: null }) })
    .where(eq(subscriptions.id, id))
}

/** Purchases, changes and cancellations that somebody began and nobody ended. */
export async function listUnsettled(
  db: Db,
  { createdBefore, now }: { createdBefore: Date; now: Date },
) {
  return db
    .select()
    .from(subscriptions)
    .where(
      and(
        or(
          and(eq(subscriptions.status, 'incomplete'), lt(subscriptions.createdAt, createdBefore)),
          isNotNull(subscriptions.nextPlanId),
          and(eq(subscriptions.status, 'active'), isNotNull(subscriptions.requestedBy)),
        ),
        or(isNull(subscriptions.billingLeaseUntil), lt(subscriptions.billingLeaseUntil, now)),
      ),
    )
    .limit(100)
}

/** Purchases of somebody that wait for their first payment. */
export async function listIncompleteOf(db: Db, ownerId: string) {
  return db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.ownerId, ownerId), eq(subscriptions.status, 'incomplete')))
}

/** Projects that we believe are being paid for, and have not heard of since a ticket was taken; in the order of their ids. */
export async function listPaid(
  db: Db,
  {
    syncedBefore,
    after = '',
    limit,
  }: { syncedBefore: number; after: string | undefined; limit: number },
) {
  const rows = await db
    .select({ id: subscriptions.id, providerSubscriptionId: subscriptions.providerSubscriptionId })
    .from(subscriptions)
    .where(
      and(
        gt(subscriptions.id, after),
        eq(subscriptions.status, 'active'),
        isNotNull(subscriptions.providerSubscriptionId),
        lt(subscriptions.synced, syncedBefore),
      ),
    )
    .orderBy(subscriptions.id)
    .limit(limit)
  return rows.map(({ id, providerSubscriptionId }) => ({ id, planId: providerSubscriptionId! }))
}

/** Projects whose customer at the provider is to be known by what their owner is known by. */
export async function listFollowing(db: Db, ownerId: string) {
  return db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.ownerId, ownerId), isNotNull(subscriptions.customerId)))
}
