import { getTableColumns, sql } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import type { CustomerId, ProviderSubscriptionId, SubscriptionId } from '../platform/ids.ts'
import type { Db } from '../sql/database.ts'
import { isChangingPlan, isEnding, subscriptions } from './schema.ts'
import { all, columns, first, run, some, value, values } from '../sql/statement.ts'

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

export function listCustomerIds(db: Db, limit: number) {
  return values<CustomerId>(db, 'billing_customer_ids')`
    select stripe_customer_id from subscriptions where stripe_customer_id is not null
    order by stripe_customer_id limit ${limit}`
}

export async function findByCustomer(db: Db, customerId: CustomerId) {
  return first<BillingRow>(db, 'billing_row_by_customer')`
    select ${columns(subscriptions)} from subscriptions where stripe_customer_id = ${customerId}`
}

/** Undefined while another request holds it. For an unknown subscription it holds nothing. */
export async function acquireLease(
  db: Db,
  id: SubscriptionId,
  { by, now, until }: { by: string; now: Date; until: Date },
) {
  const isTaken = await some(db, 'billing_lease_acquire')`
    update subscriptions set billing_lease_until = ${until}, billing_lease_by = ${by}
    where id = ${id} and (billing_lease_until is null or billing_lease_until <= ${now})`
  const isBusy = !isTaken && (await find(db, id)) !== undefined
  return isBusy ? undefined : ({ subscriptionId: id, by, until } as Lease)
}

/** Lets a lease expire later, unless it has expired and another request holds the next one. */
export async function renewLease(db: Db, lease: Lease, until: Date) {
  const isRenewed = await some(db, 'billing_lease_renew')`
    update subscriptions set billing_lease_until = ${until} where ${isHeld(lease)}`
  if (isRenewed) lease.until = until
}

/** Releases a lease, unless it has expired and another request holds the next one. */
export function releaseLease(db: Db, lease: Lease) {
  return run(db, 'billing_lease_release')`
    update subscriptions set billing_lease_until = null, billing_lease_by = null where ${isHeld(lease)}`
}

function isHeld({ subscriptionId, by, until }: Lease) {
  return sql`id = ${subscriptionId} and billing_lease_by = ${by} and billing_lease_until = ${until}`
}

/** Whether anybody holds a lease. */
export function isAnyLeased(db: Db, now: Date) {
  return some(db, 'billing_any_lease')`
    select from subscriptions where billing_lease_until > ${now} limit 1`
}

/** Releases all leases. Callers must be sure that no other server is running. */
export function releaseAllLeases(db: Db) {
  return run(db, 'billing_lease_release_all')`
    update subscriptions set billing_lease_until = null, billing_lease_by = null
    where billing_lease_until is not null`
}

/** Numbers the readings from the provider: take a ticket before each reading begins. */
export function nextTicket(db: Db) {
  return value<number>(db, 'billing_next_ticket')`select nextval('sync_tickets')`
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
export function setRequester(db: Db, id: SubscriptionId, requestedBy: string) {
  return some(db, 'billing_set_requester')`
    update subscriptions set requested_by = ${requestedBy} where id = ${id} and status = 'active'`
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
  const next = await value<Date | null>(db, 'billing_next_ahead')`
    select min(ahead_at) from subscriptions`
  return next ?? undefined
}

export async function listActiveOf(db: Db, ownerId: string) {
  return all<BillingRow>(db, 'billing_active_of_owner')`
    select ${columns(subscriptions)} from subscriptions where owner_id = ${ownerId} and status = 'active'`
}

/** Locks a user's purchases that wait for their first payment, and returns them. */
export async function lockIncompleteOf(db: Db, ownerId: string) {
  return all<BillingRow>(db, 'billing_lock_incomplete_of_owner')`
    select ${columns(subscriptions)} from subscriptions where owner_id = ${ownerId} and status = 'incomplete'
    for no key update`
}

type PaidPage = { syncedBefore: number; after: string | undefined; limit: number }
type Paid = { id: SubscriptionId; providerSubscriptionId: ProviderSubscriptionId }

/** Active subscriptions by id, with a last reading from the provider before `syncedBefore`. */
export function listPaid(db: Db, { syncedBefore, after = '', limit }: PaidPage) {
  return all<Paid>(db, 'billing_paid')`
    select ${columns(subscriptions, ['id', 'providerSubscriptionId'])} from subscriptions
    where id > ${after} and status = 'active' and stripe_subscription_id is not null and synced < ${syncedBefore}
    order by id limit ${limit}`
}

export function listWithCustomer(db: Db, ownerId: string) {
  return all<{ id: SubscriptionId }>(db, 'billing_with_customer')`
    select id from subscriptions where owner_id = ${ownerId} and stripe_customer_id is not null`
}
