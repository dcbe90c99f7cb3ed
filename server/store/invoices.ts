import type { Invoice } from '#contract/entities.ts'
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { invoices } from './schema.ts'

/** Writes what the provider says now. An event that comes late can't take back a payment. */
export async function put(db: Db, subscriptionId: string, { created, hosted_invoice_url, ...invoice }: Invoice) {
  const row = { ...invoice, subscriptionId, createdAt: new Date(created * 1000), hostedInvoiceUrl: hosted_invoice_url }
  await db
    .insert(invoices)
    .values(row)
    .onConflictDoUpdate({
      target: invoices.id,
      set: row,
      setWhere: sql`${invoices.status} <> 'paid' or excluded.status not in ('draft', 'open')`,
    })
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

function toEntity({ createdAt, hostedInvoiceUrl, ...row }: typeof invoices.$inferSelect): Invoice {
  return {
    id: row.id,
    number: row.number,
    created: Math.floor(createdAt.getTime() / 1000),
    total: row.total,
    currency: row.currency,
    status: row.status,
    hosted_invoice_url: hostedInvoiceUrl,
  }
}
