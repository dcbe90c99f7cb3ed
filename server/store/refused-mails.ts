import type { Db } from '../sql/database.ts'
import { refusedMails } from './schema.ts'
import { all, columns, run, some } from '../sql/statement.ts'

type RefusedMail = typeof refusedMails.$inferSelect

/**
 * Keeps the newest refusal of a mail about this to this address, unless what it is about is gone, like
 * the code of a deleted account. An account's deletion waits for it, and then forgets it.
 */
export function put(db: Db, { about, address, mail, reply, at }: RefusedMail) {
  return run(db, 'refused_mail_put')`
    with code as (select from action_codes where hash = ${about} for key share)
    insert into refused_mails (about, address, mail, reply, at)
    select ${about}, ${address}, ${mail}, ${reply}, ${at}::timestamptz
    where exists (select from code) or exists (select from invites where code_hash = ${about})
      or exists (select from subscriptions where id = ${about})
    on conflict (about, address) do update set mail = excluded.mail, reply = excluded.reply, at = excluded.at`
}

/** A later mail about this has reached the address. */
export function remove(db: Db, { about, address }: Pick<RefusedMail, 'about' | 'address'>) {
  return run(db, 'refused_mail_remove')`
    delete from refused_mails where about = ${about} and address = ${address}`
}

/** Whether the address that gets a subscription's receipts has refused a mail about it. */
export function isPayerRefused(db: Db, subscriptionId: string) {
  return some(db, 'refused_mail_to_payer')`
    select from subscriptions s left join users u on u.id = s.owner_id
      join refused_mails r on r.about = s.id and r.address = coalesce(s.billing_email, u.email)
    where s.id = ${subscriptionId}`
}

/** The newest refusals of mails to an address. For operators. */
export function listTo(db: Db, address: string, limit: number) {
  return all<RefusedMail>(db, 'refused_mails_to')`
    select ${columns(refusedMails)} from refused_mails where address = ${address} order by at desc limit ${limit}`
}

export function forget(db: Db, { address }: { address: string }) {
  return run(db, 'refused_mails_forget')`
    delete from refused_mails where address = ${address}`
}

export function removeOlder(db: Db, than: Date) {
  return run(db, 'refused_mails_remove_older')`delete from refused_mails where at < ${than}`
}
