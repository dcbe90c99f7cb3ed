import type { Invoice } from '#contract/entities.ts'
import { desc, eq, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db } from './database.ts'
import { invoices } from './schema.ts'

/** An invoice goes up these steps and never down: what the provider said earlier can come later. */
function stepOf(status: SQLWrapper) {
  return sql`case ${status} when 'draft' then 0 when 'open' then 1 when 'uncollectible' then 2 else 3 end`
}

/** Writes what the provider says now, and tells whether it is the first to say that it is paid. Meant for whoever holds the project's row. */
export async function put(db: Db, subscriptionId: string, invoice: Invoice) {
  const row = toRow(subscriptionId, invoice)
  const [before] = await db.select({ status: invoices.status }).from(invoices).where(eq(invoices.id, invoice.id))
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

/** Newest first. */
export async function list(db: Db, subscriptionId: string, { page, pageSize }: { page: number; pageSize: number }) {
  const ofSubscription = eq(invoices.subscriptionId, subscriptionId)
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(invoices)
      .where(ofSubscription)
      .orderBy(desc(invoices.createdAt), desc(invoices.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.$count(invoices, ofSubscription),
  ])
  return { invoices: rows.map(toEntity), total }
}

function toRow(subscriptionId: string, invoice: Invoice): typeof invoices.$inferInsert {
  const { id, number, created, total, currency, status, hosted_invoice_url, invoice_pdf, next_payment_attempt } = invoice
  return {
    id,
    subscriptionId,
    number,
    createdAt: new Date(created * 1000),
    total,
    currency,
    status,
    hostedInvoiceUrl: hosted_invoice_url,
    invoicePdf: invoice_pdf,
    nextPaymentAttempt: next_payment_attempt === null ? null : new Date(next_payment_attempt * 1000),
  }
}

function toEntity(row: typeof invoices.$inferSelect): Invoice {
  return {
    id: row.id,
    number: row.number,
    created: seconds(row.createdAt),
    total: row.total,
    currency: row.currency,
    status: row.status,
    hosted_invoice_url: row.hostedInvoiceUrl,
    invoice_pdf: row.invoicePdf,
    next_payment_attempt: row.nextPaymentAttempt && seconds(row.nextPaymentAttempt),
  }
}

function seconds(date: Date) {
  return Math.floor(date.getTime() / 1000)
}
