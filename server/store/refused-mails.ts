import { desc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { refusedMails } from './schema.ts'
import { statement } from '../sql/statement.ts'

type RefusedMail = typeof refusedMails.$inferSelect

/** Keeps the newest refusal of a mail about this to this address. */
export const put = statement<RefusedMail>(
  'refused_mail_put',
  ({ about, address, mail, reply, at }) => sql`
    insert into refused_mails (about, address, mail, reply, at) values (${about}, ${address}, ${mail}, ${reply}, ${at})
    on conflict (about, address) do update set mail = excluded.mail, reply = excluded.reply, at = excluded.at`,
).send

/** A later mail about this has reached the address. */
export const remove = statement<Pick<RefusedMail, 'about' | 'address'>>(
  'refused_mail_remove',
  ({ about, address }) =>
    sql`delete from refused_mails where about = ${about} and address = ${address}`,
).send

const toPayer = statement<{ subscriptionId: string }, object>(
  'refused_mail_to_payer',
  ({ subscriptionId }) => sql`
    select from subscriptions s left join users u on u.id = s.owner_id
      join refused_mails r on r.about = s.id and r.address = coalesce(s.billing_email, u.email)
    where s.id = ${subscriptionId}`,
)

/** Whether the address that gets a subscription's receipts has refused a mail about it. */
export async function isPayerRefused(db: Db, subscriptionId: string) {
  return (await toPayer.first(db, { subscriptionId })) !== undefined
}

/** The newest refusals of mails to an address. For operators. */
export async function listTo(db: Db, address: string, limit: number) {
  return db
    .select()
    .from(refusedMails)
    .where(eq(refusedMails.address, address))
    .orderBy(desc(refusedMails.at))
    .limit(limit)
}

export const forget = statement<{ address: string }>(
  'refused_mails_forget',
  ({ address }) => sql`delete from refused_mails where address = ${address}`,
).send

export async function removeOlder(db: Db, than: Date) {
  await db.delete(refusedMails).where(lt(refusedMails.at, than))
}
