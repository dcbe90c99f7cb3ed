import type { PaymentMethod } from '#contract/entities.ts'
import type { BillingRow } from './billing.ts'
import type { Db } from '../sql/database.ts'
import { eachPage, exportedAtOnce } from '../sql/pages.ts'
import { cards, subscriptions } from './schema.ts'
import { all, columns, run, some } from '../sql/statement.ts'

type NewCard = Pick<PaymentMethod, 'id' | 'card'> &
  Pick<typeof cards.$inferInsert, 'subscriptionId' | 'addedBy'> & { now: Date }

/** Leaves an existing card as it is. Of several callers at once, exactly one gets true. */
export async function add(db: Db, { id, card, subscriptionId, addedBy, now }: NewCard) {
  const { brand, last4, exp_month: month, exp_year: year } = card
  return some(db, 'card_add')`
    insert into cards (id, subscription_id, added_by, brand, last4, exp_month, exp_year, created_at)
    values (${id}, ${subscriptionId}, ${addedBy}, ${brand}, ${last4}, ${month}, ${year}, ${now}) on conflict do nothing`
}

export function has(db: Db, id: string) {
  return some(db, 'card_has')`select from cards where id = ${id}`
}

type Adder = { cardId: string; id: string; name: string; isWithdrawn: boolean }

/** The user who added each card of a subscription, by the card's id. */
export async function mapAdders(db: Db, subscriptionId: string) {
  const rows = await all<Adder>(db, 'card_adders')`
    select cards.id "cardId", users.id, users.display_name "name", cards.withdrawn_at is not null "isWithdrawn"
    from cards join users on users.id = cards.added_by where cards.subscription_id = ${subscriptionId}`
  return new Map(rows.map(({ cardId, ...adder }) => [cardId, adder]))
}

/** Marks the cards that a user added as no longer offered, and returns them. */
export function withdrawAllOf(db: Db, { userId, now }: { userId: string; now: Date }) {
  return all<Pick<typeof cards.$inferSelect, 'id' | 'subscriptionId'>>(db, 'cards_withdraw_all')`
    update cards set withdrawn_at = ${now} where added_by = ${userId} and withdrawn_at is null
    returning ${columns(cards, ['id', 'subscriptionId'])}`
}

type Added = Omit<typeof cards.$inferSelect, 'addedBy' | 'withdrawnAt'> &
  Pick<BillingRow, 'customerId' | 'ownerId' | 'status' | 'providerSubscriptionId' | 'settings'> & {
    isMember: boolean
  }

/** The cards that a user added, newest first, even in subscriptions that the user has left. */
export async function listOf(db: Db, userId: string) {
  return all<Added>(db, 'cards_added_by')`
    select ${columns(cards, ['id', 'subscriptionId', 'brand', 'last4', 'expMonth', 'expYear', 'createdAt'])},
      ${columns(subscriptions, ['customerId', 'ownerId', 'status', 'providerSubscriptionId', 'settings'])},
      exists (select from members where subscription_id = subscriptions.id and user_id = ${userId}) "isMember"
    from cards join subscriptions on subscriptions.id = cards.subscription_id
    where cards.added_by = ${userId} and cards.withdrawn_at is null order by cards.created_at desc, cards.id desc`
}

type Exported = Omit<typeof cards.$inferSelect, 'addedBy' | 'withdrawnAt'>

/** The cards that a user added, by their ids, in pages. */
export function eachOf(db: Db, userId: string) {
  return eachPage<Exported>(
    (last) => all<Exported>(db, 'cards_exported')`
    select ${columns(cards, ['id', 'subscriptionId', 'brand', 'last4', 'expMonth', 'expYear', 'createdAt'])}
    from cards where added_by = ${userId} and withdrawn_at is null and id > ${last?.id ?? ''} order by id limit ${exportedAtOnce}`,
  )
}

/** The cards of a subscription that somebody other than its owner added. */
export function listOfOthers(db: Db, subscriptionId: string) {
  return all<typeof cards.$inferSelect>(db, 'cards_of_others')`
    select ${columns(cards)} from cards join subscriptions on subscriptions.id = cards.subscription_id
    where cards.subscription_id = ${subscriptionId} and added_by <> owner_id`
}

export function removeAllBut(db: Db, subscriptionId: string, kept: string | undefined) {
  return run(db, 'cards_remove_all_but')`
    delete from cards where subscription_id = ${subscriptionId} and id is distinct from ${kept}`
}

export function remove(db: Db, id: string) {
  return run(db, 'card_remove')`delete from cards where id = ${id}`
}
