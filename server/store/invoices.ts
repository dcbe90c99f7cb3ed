import type { DisputeState, Invoice } from '#contract/entities.ts'
import { and, desc, eq, gt, inArray, not, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db } from './database.ts'
import { invoices, subscriptions } from './schema.ts'

/** An invoice goes up these steps and never down: what the provider said earlier can come later. */
function stepOf(status: SQLWrapper) {
  return sql`case ${status} when 'draft' then 0 when 'open' then 1 when 'uncollectible' then 2 else 3 end`
}

/** An invoice as the provider has it now. Amounts in minor units of `currency`. */
export type ProviderInvoice = Pick<
  Invoice,
  | 'id'
  | 'number'
  | 'created'
  | 'total'
  | 'currency'
  | 'status'
  | 'amount_paid'
  | 'next_payment_attempt'
> & {
  /** What it was made for: `subscription_create`, `subscription_update`, `subscription_cycle` or another of Stripe's `billing_reason`s. */
  reason: string | null
  /** The provider can't finalize it, with its code for why: nobody pays it until that is mended. */
  blocked?: string | undefined
}

/** Writes what the provider says now, and tells whether it is the first to say that it is paid. The caller holds the project's row. */
export async function put(db: Db, subscriptionId: string, invoice: ProviderInvoice) {
  const row = toRow(subscriptionId, invoice)
  const [before] = await db
    .select({ status: invoices.status })
    .from(invoices)
    .where(eq(invoices.id, invoice.id))
  await db
    .insert(invoices)
    .values(row)
    .onConflictDoUpdate({
      target: invoices.id,
      set: row,
      setWhere: sql`${stepOf(invoices.status)} <= ${stepOf(sql`excluded.status`)}`,
    })
  return { isNewlyPaid: invoice.status === 'paid' && before?.status !== 'paid' }
}

/** Writes what went back of it, and gives the dispute that there was before. The caller holds the project's row. */
export async function setReturned(
  db: Db,
  id: string,
  { refunded, dispute }: { refunded: number; dispute: DisputeState | null },
) {
  const [before] = await db
    .select({ dispute: invoices.dispute })
    .from(invoices)
    .where(eq(invoices.id, id))
  await db.update(invoices).set({ amountRefunded: refunded, dispute }).where(eq(invoices.id, id))
  return before?.dispute ?? null
}

const cameToNothing = sql<boolean>`(${invoices.status} = 'void' and coalesce(${invoices.reason}, '') in ('subscription_create', 'subscription_update'))`

/** Newest first. What came to nothing, a purchase or a change that the bank refused, was never owed and is not among them. */
export async function list(
  db: Db,
  subscriptionId: string,
  { page, pageSize }: { page: number; pageSize: number },
) {
  const ofSubscription = and(eq(invoices.subscriptionId, subscriptionId), not(cameToNothing))
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(invoices)
      .where(ofSubscription)
      .orderBy(
        desc(invoices.createdAt),
        sql`${invoices.number} desc nulls first`,
        desc(invoices.id),
      )
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.$count(invoices, ofSubscription),
  ])
  return { invoices: rows.map(toEntity), total }
}

/** Whether a plan at the provider has an invoice that is still to be paid, as far as we have heard. */
export async function hasOpen(db: Db, providerSubscriptionId: string) {
  const [row] = await db
    .select({ id: invoices.id })
    .from(invoices)
    .innerJoin(subscriptions, eq(subscriptions.id, invoices.subscriptionId))
    .where(
      and(
        eq(subscriptions.providerSubscriptionId, providerSubscriptionId),
        eq(invoices.status, 'open'),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** The invoice that an address of ours stands for. */
export async function findIdByToken(db: Db, token: string) {
  const [row] = await db.select({ id: invoices.id }).from(invoices).where(eq(invoices.token, token))
  return row?.id
}

export async function findToken(db: Db, id: string) {
  const [row] = await db.select({ token: invoices.token }).from(invoices).where(eq(invoices.id, id))
  return row?.token
}

/** How these invoices are kept, by id. */
export async function mapKept(db: Db, ids: string[]) {
  const { id, status, amountPaid } = invoices
  const rows = await db.select({ id, status, amountPaid }).from(invoices).where(inArray(id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Those that may still be paid or given up, in the order of their ids. */
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

function toRow(subscriptionId: string, invoice: ProviderInvoice): typeof invoices.$inferInsert {
  const {
    id,
    number,
    created,
    total,
    currency,
    status,
    amount_paid,
    reason,
    next_payment_attempt,
  } = invoice
  return {
    id,
    subscriptionId,
    number,
    createdAt: new Date(created * 1000),
    total,
    currency,
    status,
    amountPaid: amount_paid,
    reason,
    nextPaymentAttempt:
      next_payment_attempt === null ? null : new Date(next_payment_attempt * 1000),
  }
}

function toEntity(
  row: typeof invoices.$inferSelect,
): Omit<Invoice, 'hosted_invoice_url' | 'invoice_pdf'> & { token: string } {
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

function seconds(date: Date) {
  return Math.floor(date.getTime() / 1000)
}
