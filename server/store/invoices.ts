import type { DisputeState, Invoice } from '#contract/entities.ts'
import { sql, type SQLWrapper } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import type { ProviderSubscriptionId, SubscriptionId } from '../platform/ids.ts'
import { seconds } from '../platform/time.ts'
import type { Db } from '../sql/database.ts'
import { askPage, type Page } from '../sql/pages.ts'
import { isOwing, reading, type Begun } from './reading.ts'
import { invoices } from './schema.ts'
import { all, columns, first, run, value, values } from '../sql/statement.ts'

export type InvoiceRow = typeof invoices.$inferSelect

/** `put` never writes a status of lower rank, because an older reading can be written later. */
function stepOf(status: SQLWrapper) {
  return sql`case ${status} when 'draft' then 0 when 'open' then 1 when 'uncollectible' then 2 else 3 end`
}

/** An invoice as the provider has it now. Amounts are in minor units of `currency`. */
export type ProviderInvoice = Omit<
  Invoice,
  'amount_refunded' | 'dispute' | 'hosted_invoice_url' | 'invoice_pdf'
> & {
  /** Stripe's `billing_reason`, such as `subscription_create` or `subscription_cycle`. */
  reason: string | null
  /** Why the provider can't finalize the invoice. Until that is fixed, nobody can pay it. */
  blocked?: string | undefined
  /** How often the provider has tried to charge it. */
  attempts: number
  /** The part of `total` that a try charges. */
  remaining: number
}

type Put = Omit<InvoiceRow, 'token' | 'amountRefunded' | 'dispute'>

/**
 * Writes an invoice in place of `former`, what is written of it now, unless nothing differs.
 * `isNewlyPaid`: paid now and not before. `failures`: how often the provider has since tried to
 * charge it without success, and when first. The caller has locked the subscription.
 */
export async function put(
  db: Db,
  subscriptionId: string,
  invoice: ProviderInvoice,
  former: InvoiceRow | undefined,
) {
  const row = toRow(subscriptionId, invoice)
  if (!isDeepStrictEqual({ ...former, ...row }, former)) await write(db, row)
  return {
    isNewlyPaid: invoice.status === 'paid' && former?.status !== 'paid',
    failures: hasFailed(row, former) && {
      count: row.attempts - (former?.attempts ?? 0),
      at: former?.nextPaymentAttempt ?? row.createdAt,
    },
  }
}

function write(db: Db, row: Put) {
  return run(db, 'invoice_put')`
    insert into invoices (id, subscription_id, number, created_at, total, currency, status, amount_paid, reason, next_payment_attempt, attempts)
    values (${row.id}, ${row.subscriptionId}, ${row.number}, ${row.createdAt}, ${row.total}, ${row.currency}, ${row.status},
      ${row.amountPaid}, ${row.reason}, ${row.nextPaymentAttempt}, ${row.attempts})
    on conflict (id) do update set
      (subscription_id, number, created_at, total, currency, status, amount_paid, reason, next_payment_attempt, attempts) =
      (excluded.subscription_id, excluded.number, excluded.created_at, excluded.total, excluded.currency, excluded.status,
        excluded.amount_paid, excluded.reason, excluded.next_payment_attempt, greatest(invoices.attempts, excluded.attempts))
    where ${stepOf(invoices.status)} <= ${stepOf(sql`excluded.status`)}`
}

/** A purchase or a change tells of its failure itself, and so does a try that the owner makes. */
function hasFailed(row: Put, former: InvoiceRow | undefined) {
  const isPeriod = row.reason !== 'subscription_create' && row.reason !== 'subscription_update'
  const isTried = row.attempts > (former?.attempts ?? 0)
  const isPlanned = former?.nextPaymentAttempt?.getTime() !== row.nextPaymentAttempt?.getTime()
  return row.status === 'open' && isPeriod && isTried && (!former || isPlanned)
}

export function setRefunds(
  db: Db,
  { id, refunded, dispute }: { id: string; refunded: number; dispute: DisputeState | null },
) {
  return run(db, 'invoice_set_refunds')`
    update invoices set amount_refunded = ${refunded}, dispute = ${dispute} where id = ${id}`
}

const isOwed = sql`not (status = 'void' and coalesce(reason, '') in ('subscription_create', 'subscription_update'))`

/** Newest first. Leaves out those of declined purchases and changes, which nobody ever owed. */
export async function list(db: Db, subscriptionId: string, page: Page) {
  const isListed = sql`subscription_id = ${subscriptionId} and ${isOwed}`
  const listing = {
    counts: sql`select count(*) total from invoices where ${isListed}`,
    rows: sql`
      select ${columns(invoices)} from invoices where ${isListed}
      order by created_at desc, number desc nulls first, id desc`,
  }
  const { rows, total } = await askPage<InvoiceRow>(db, 'invoices', listing, page)
  return { invoices: rows.map(toEntity), total }
}

/** Whether the subscription that this provider subscription pays for has an open invoice here. */
export function hasOpen(db: Db, id: ProviderSubscriptionId) {
  return value<boolean>(db, 'invoices_has_open')`select ${isOwing(id)}`
}

/** Begins a reading of a provider subscription. */
export async function beginReading(db: Db, id: ProviderSubscriptionId) {
  const begun = await first<Begun>(db, 'reading_begin')`
    select ${reading(id)}`
  return begun!
}

export async function find(db: Db, id: string) {
  return first<InvoiceRow>(db, 'invoice')`
    select ${columns(invoices)} from invoices where id = ${id}`
}

export function findIdByToken(db: Db, token: string) {
  return value<string | undefined>(db, 'invoice_id_by_token')`
    select id from invoices where token = ${token}`
}

export async function mapByIds(db: Db, ids: string[]) {
  const rows = await all<Pick<InvoiceRow, 'id' | 'status' | 'amountPaid'>>(db, 'invoices_by_ids')`
    select ${columns(invoices, ['id', 'status', 'amountPaid'])} from invoices where id = any(${ids}::text[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Draft and open invoices of all subscriptions, ordered by id. Their status may still change. */
export function listOpen(
  db: Db,
  { after = '', limit }: { after: string | undefined; limit: number },
) {
  return all<{ id: string }>(db, 'invoices_open')`
    select id from invoices where id > ${after} and status in ('draft', 'open') order by id limit ${limit}`
}

/** The invoice whose end of collection is the next: a project ends when it stays unpaid. */
export async function findOldestOpen(db: Db, id: string) {
  return first<InvoiceRow>(db, 'invoice_oldest_open')`
    select ${columns(invoices)} from invoices where subscription_id = ${id} and status = 'open'
    order by created_at limit 1`
}

/**
 * Subscriptions with an open invoice from before `createdBefore`, of which no mail since has told
 * that the project ends. `warned` is in milliseconds from the invoice.
 */
export function listEnding(
  db: Db,
  { createdBefore, warned }: { createdBefore: Date; warned: number },
) {
  return values<SubscriptionId>(db, 'invoices_ending')`
    select distinct s.id from invoices i, lateral (
      select id, dunned_at from subscriptions
      where id = i.subscription_id and status = 'active' and payment <> 'ok' offset 0
    ) s
    where i.status = 'open' and i.created_at <= ${createdBefore}
      and (s.dunned_at is null or s.dunned_at < i.created_at + ${warned} * interval '1 ms')
    limit 1000`
}

function toRow(subscriptionId: string, invoice: ProviderInvoice): Put {
  const {
    blocked: _,
    remaining: __,
    created,
    amount_paid: amountPaid,
    next_payment_attempt: next,
    ...same
  } = invoice
  return {
    ...same,
    subscriptionId,
    createdAt: new Date(created * 1000),
    amountPaid,
    nextPaymentAttempt: next === null ? null : new Date(next * 1000),
  }
}

function toEntity(row: InvoiceRow) {
  return {
    id: row.id,
    number: row.number,
    created: seconds(row.createdAt),
    total: row.total,
    currency: row.currency,
    status: row.status,
    amount_paid: row.amountPaid,
    amount_refunded: row.amountRefunded,
    dispute: row.dispute,
    next_payment_attempt: row.nextPaymentAttempt && seconds(row.nextPaymentAttempt),
    token: row.token,
  }
}
