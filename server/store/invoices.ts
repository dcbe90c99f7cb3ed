import type { DisputeState, Invoice } from '#contract/entities.ts'
import { and, eq, gt, inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { ProviderSubscriptionId } from '../platform/ids.ts'
import { seconds } from '../platform/time.ts'
import type { Db } from './database.ts'
import { pages, type Page } from './pages.ts'
import { invoices } from './schema.ts'
import { columns, statement } from './statement.ts'

type Row = typeof invoices.$inferSelect

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
}

type Put = Omit<Row, 'token' | 'amountRefunded' | 'dispute'>

/** Returns the status before. */
const upserted = statement<Put, { before: Row['status'] | null }>(
  'invoice_put',
  (row) => sql`
    with former as (select status from invoices where id = ${row.id})
    insert into invoices (id, subscription_id, number, created_at, total, currency, status, amount_paid, reason, next_payment_attempt)
    values (${row.id}, ${row.subscriptionId}, ${row.number}, ${row.createdAt}, ${row.total}, ${row.currency}, ${row.status},
      ${row.amountPaid}, ${row.reason}, ${row.nextPaymentAttempt})
    on conflict (id) do update set
      (subscription_id, number, created_at, total, currency, status, amount_paid, reason, next_payment_attempt) =
      (excluded.subscription_id, excluded.number, excluded.created_at, excluded.total, excluded.currency, excluded.status,
        excluded.amount_paid, excluded.reason, excluded.next_payment_attempt)
    where ${stepOf(invoices.status)} <= ${stepOf(sql`excluded.status`)}
    returning (select status from former) before`,
)

/** `isNewlyPaid`: paid now and not before. The caller has locked the subscription. */
export async function put(db: Db, subscriptionId: string, invoice: ProviderInvoice) {
  const written = await upserted.first(db, toRow(subscriptionId, invoice))
  return { isNewlyPaid: invoice.status === 'paid' && written?.before !== 'paid' }
}

/** Returns the dispute that the row had before. The caller has locked the subscription. */
export async function setRefunds(
  db: Db,
  id: string,
  { refunded, dispute }: { refunded: number; dispute: DisputeState | null },
) {
  const isThis = eq(invoices.id, id)
  const before = await find(db, isThis)
  await db.update(invoices).set({ amountRefunded: refunded, dispute }).where(isThis)
  return before?.dispute ?? null
}

const isOwed = sql`not (status = 'void' and coalesce(reason, '') in ('subscription_create', 'subscription_update'))`

const ofSubscription = pages<{ subscriptionId: string }, Row>('invoices', ({ subscriptionId }) => ({
  counts: sql`select count(*) total from invoices where subscription_id = ${subscriptionId} and ${isOwed}`,
  rows: sql`
      select ${columns(invoices)} from invoices where subscription_id = ${subscriptionId} and ${isOwed}
      order by created_at desc, number desc nulls first, id desc`,
}))

/** Newest first. Leaves out those of declined purchases and changes, which nobody ever owed. */
export async function list(db: Db, subscriptionId: string, { page, pageSize }: Page) {
  const { rows, total } = await ofSubscription(db, { subscriptionId }, { page, pageSize })
  return { invoices: rows.map(toEntity), total }
}

const isOwing = (providerSubscriptionId: SQL) => sql`exists (
  select from invoices join subscriptions s on s.id = invoices.subscription_id
  where s.stripe_subscription_id = ${providerSubscriptionId} and invoices.status = 'open')`

const owing = statement<{ id: ProviderSubscriptionId }, { isOwing: boolean }>(
  'invoices_has_open',
  ({ id }) => sql`select ${isOwing(id)} "isOwing"`,
)

/** Whether the subscription that this provider subscription pays for has an open invoice here. */
export async function hasOpen(db: Db, id: ProviderSubscriptionId) {
  return (await owing.first(db, { id }))!.isOwing
}

const begun = statement<{ id: ProviderSubscriptionId }, { ticket: number; mayOweMore: boolean }>(
  'reading_begin',
  ({ id }) => sql`select nextval('sync_tickets') ticket, ${isOwing(id)} "mayOweMore"`,
)

/** Takes the ticket of a reading, and asks what the reading needs to know: see `hasOpen`. */
export async function beginReading(db: Db, id: ProviderSubscriptionId) {
  return (await begun.first(db, { id }))!
}

export async function findIdByToken(db: Db, token: string) {
  return (await find(db, eq(invoices.token, token)))?.id
}

export async function findToken(db: Db, id: string) {
  return (await find(db, eq(invoices.id, id)))?.token
}

export async function mapByIds(db: Db, ids: string[]) {
  const { id, status, amountPaid } = invoices
  const rows = await db.select({ id, status, amountPaid }).from(invoices).where(inArray(id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Draft and open invoices of all subscriptions, ordered by id. Their status may still change. */
export async function listOpen(
  db: Db,
  { after = '', limit }: { after: string | undefined; limit: number },
) {
  return db
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(gt(invoices.id, after), inArray(invoices.status, ['draft', 'open'])))
    .orderBy(invoices.id)
    .limit(limit)
}

function toRow(subscriptionId: string, invoice: ProviderInvoice): Put {
  const { created, amount_paid: amountPaid, next_payment_attempt: next, ...same } = invoice
  return {
    ...same,
    subscriptionId,
    createdAt: new Date(created * 1000),
    amountPaid,
    nextPaymentAttempt: next === null ? null : new Date(next * 1000),
  }
}

function toEntity(row: Row) {
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

async function find(db: Db, condition: SQL) {
  return (await db.select().from(invoices).where(condition)).at(0)
}
