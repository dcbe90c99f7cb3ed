import { and, eq, getTableColumns, gt, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import type { CustomerId, SubscriptionId } from '../platform/ids.ts'
import type { Db } from '../sql/database.ts'
import { isChangingPlan, isEnding, subscriptions } from './schema.ts'
import { all, columns, first, run } from '../sql/statement.ts'

export type BillingRow = typeof subscriptions.$inferSelect

declare const held: unique symbol
/** Its holder may talk to the provider about the subscription. Only `acquireLease` makes one. */
export type Lease = {
  subscriptionId: SubscriptionId
  /** The server. */
  by: string
  /** When it expires. */
  until: Date
  readonly [held]: true
}

/** The row of a subscription in any status, even `incomplete`. */
export async function find(db: Db, id: SubscriptionId) {
  return first<BillingRow>(db, 'billing_row')`
    select ${columns(subscriptions)} from subscriptions where id = ${id}`
}

export async function listCustomerIds(db: Db, limit: number) {
  const rows = await db
    .select({ id: subscriptions.customerId })
    .from(subscriptions)
    .where(isNotNull(subscriptions.customerId))
    .orderBy(subscriptions.customerId)
    .limit(limit)
  return rows.map(({ id }) => id!)
}

export async function findByCustomer(db: Db, customerId: CustomerId) {
  const rows = await db.select().from(subscriptions).where(eq(subscriptions.customerId, customerId))
  return rows.at(0)
}

/** Undefined while another request holds it. For an unknown subscription it holds nothing. */
export async function acquireLease(
  db: Db,
  id: SubscriptionId,
  { by, now, until }: { by: string; now: Date; until: Date },
) {
  const { billingLeaseUntil } = subscriptions
  const isThis = eq(subscriptions.id, id)
  const { rowCount } = await db
    .update(subscriptions)
    .set({ billingLeaseUntil: until, billingLeaseBy: by })
    .where(and(isThis, or(isNull(billingLeaseUntil), lte(billingLeaseUntil, now))))
  const isBusy = rowCount === 0 && (await db.$count(subscriptions, isThis)) > 0
  return isBusy ? undefined : ({ subscriptionId: id, by, until } as Lease)
}

/** Lets a lease expire later, unless it has expired and another request holds the next one. */
export async function renewLease(db: Db, lease: Lease, until: Date) {
  const { rowCount } = await db
    .update(subscriptions)
    .set({ billingLeaseUntil: until })
    .where(isHeld(lease))
  if (rowCount === 1) lease.until = until
}

/** Releases a lease, unless it has expired and another request holds the next one. */
export async function releaseLease(db: Db, lease: Lease) {
  await db
    .update(subscriptions)
    .set({ billingLeaseUntil: null, billingLeaseBy: null })
    .where(isHeld(lease))
}

function isHeld({ subscriptionId, by, until }: Lease) {
  const { id, billingLeaseBy, billingLeaseUntil } = subscriptions
  return and(eq(id, subscriptionId), eq(billingLeaseBy, by), eq(billingLeaseUntil, until))
}

/** Whether anybody holds a lease. */
export async function isAnyLeased(db: Db, now: Date): Promise<boolean> {
  return (await db.$count(subscriptions, gt(subscriptions.billingLeaseUntil, now))) > 0
}

/** Releases all leases. Callers must be sure that no other server is running. */
export async function releaseAllLeases(db: Db) {
  await db
    .update(subscriptions)
    .set({ billingLeaseUntil: null, billingLeaseBy: null })
    .where(isNotNull(subscriptions.billingLeaseUntil))
}

/** Numbers the readings from the provider: take a ticket before each reading begins. */
export async function nextTicket(db: Db) {
  const { rows } = await db.execute<{ ticket: number }>(sql`select nextval('sync_tickets') ticket`)
  return rows[0]!.ticket
}

type Changes = Partial<Omit<BillingRow, 'id' | 'ownerId' | 'status'>> & { status?: 'active' }

const { id: _, ...changeable } = getTableColumns(subscriptions)
const names = sql.join(
  Object.values(changeable).map(({ name }) => sql.identifier(name)),
  sql`, `,
)

/** Clearing `nextPlanId` clears `requestedBy` too. */
export async function update(db: Db, id: SubscriptionId, changes: Changes) {
  await write(db, id, Object.entries(withCleared(changes)))
}

/** Notes who asked for what begins now. False if the project has been canceled meanwhile. */
export async function setRequester(db: Db, id: SubscriptionId, requestedBy: string) {
  const { rowCount } = await db
    .update(subscriptions)
    .set({ requestedBy })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.status, 'active')))
  return rowCount === 1
}

/** Like `update`, if something differs from the row, which the caller has locked. */
export async function updateRow(db: Db, row: BillingRow, changes: Changes) {
  const differing = Object.entries(withCleared(changes)).filter(
    ([key, value]) => !isDeepStrictEqual(row[key as keyof BillingRow], value),
  )
  if (differing.length > 0) await write(db, row.id, differing)
}

function withCleared(changes: Changes) {
  return { ...changes, ...(changes.nextPlanId === null && { requestedBy: null }) }
}

async function write(db: Db, id: SubscriptionId, changes: [string, unknown][]) {
  const byColumn = changes.map(([key, value]) => [
    changeable[key as keyof typeof changeable].name,
    // JSON would turn an invalid date into null.
    value instanceof Date ? value.toISOString() : value,
  ])
  const changed = JSON.stringify(Object.fromEntries(byColumn))
  await run(db, 'billing_update')`
    update subscriptions set (${names}) = (
      select ${names} from jsonb_populate_record(subscriptions, ${changed}::jsonb)
    ) where id = ${id}`
}

/** Keeps the ticket of the reading that the row is now as new as. */
export function setSynced(db: Db, { id, ticket }: { id: SubscriptionId; ticket: number }) {
  return run(db, 'billing_set_synced')`
    update subscriptions set synced = ${ticket} where id = ${id}`
}

/**
 * At most 100 with an unfinished purchase, change or cancellation, and without a lease. Which ones
 * is left to chance, so that those that always fail don't hide the others.
 */
export async function listUnfinished(
  db: Db,
  { createdBefore, now }: { createdBefore: Date; now: Date },
) {
  // One `or` over several indexes would need a bitmap, which jobs do without.
  return all<{ id: SubscriptionId }>(db, 'billing_unfinished')`
    select id from (
      select id, billing_lease_until from subscriptions where status = 'incomplete' and created_at < ${createdBefore}
      union select id, billing_lease_until from subscriptions where ${isChangingPlan}
      union select id, billing_lease_until from subscriptions where ${isEnding}
    ) begun where billing_lease_until is null or billing_lease_until < ${now}
    order by random() limit 100`
}

/** Projects for which something is due by then: see billing/ahead.ts. */
export async function listAhead(db: Db, { until, limit }: { until: Date; limit: number }) {
  return all<{ id: SubscriptionId }>(db, 'billing_ahead')`
    select id from subscriptions where ahead_at <= ${until} order by ahead_at limit ${limit}`
}

export async function nextAhead(db: Db) {
  const row = await first<{ at: Date | null }>(db, 'billing_next_ahead')`
    select min(ahead_at) at from subscriptions`
  return row!.at ?? undefined
}

export async function listActiveOf(db: Db, ownerId: string) {
  return db.select().from(subscriptions).where(ownedIn(ownerId, 'active'))
}

/** Locks a user's purchases that wait for their first payment, and returns them. */
export async function lockIncompleteOf(db: Db, ownerId: string) {
  return db.select().from(subscriptions).where(ownedIn(ownerId, 'incomplete')).for('no key update')
}

function ownedIn(ownerId: string, status: 'active' | 'incomplete') {
  return and(eq(subscriptions.ownerId, ownerId), eq(subscriptions.status, status))
}

type PaidPage = { syncedBefore: number; after: string | undefined; limit: number }

/** Active subscriptions by id, with a last reading from the provider before `syncedBefore`. */
export async function listPaid(db: Db, { syncedBefore, after = '', limit }: PaidPage) {
  const { id, status, providerSubscriptionId, synced } = subscriptions
  const rows = await db
    .select({ id, providerSubscriptionId })
    .from(subscriptions)
    .where(
      and(
        gt(id, after),
        eq(status, 'active'),
        isNotNull(providerSubscriptionId),
        lt(synced, syncedBefore),
      ),
    )
    .orderBy(id)
    .limit(limit)
  return rows.map((row) => ({ ...row, providerSubscriptionId: row.providerSubscriptionId! }))
}

export async function listWithCustomer(db: Db, ownerId: string) {
  return db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.ownerId, ownerId), isNotNull(subscriptions.customerId)))
}
