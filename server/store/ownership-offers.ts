import type { Db } from '../sql/database.ts'
import { first, run, some } from '../sql/statement.ts'
import { ownershipOffers } from './schema.ts'

type Row = typeof ownershipOffers.$inferSelect

/** Replaces the offer of the subscription, if it has one. */
export function put(db: Db, { subscriptionId, userId, cardId, expiresAt }: Row) {
  return run(db, 'ownership_offer_put')`
    insert into ownership_offers (subscription_id, user_id, card_id, expires_at)
    values (${subscriptionId}, ${userId}, ${cardId}, ${expiresAt})
    on conflict (subscription_id) do update
      set user_id = excluded.user_id, card_id = excluded.card_id, expires_at = excluded.expires_at`
}

type Open = Pick<Row, 'userId' | 'cardId' | 'expiresAt'> & { name: string; email: string }

/** The offer that is open. */
export async function find(db: Db, { subscriptionId, now }: { subscriptionId: string; now: Date }) {
  return first<Open>(db, 'ownership_offer')`
    select user_id "userId", card_id "cardId", expires_at "expiresAt", display_name "name", email
    from ownership_offers join users on users.id = user_id
    where subscription_id = ${subscriptionId} and expires_at > ${now}`
}

/** Removes the offer, or only one to this person. False if there is none. */
export function remove(
  db: Db,
  { subscriptionId, userId }: { subscriptionId: string; userId?: string },
) {
  return some(db, 'ownership_offer_remove')`
    delete from ownership_offers
    where subscription_id = ${subscriptionId} and (${userId}::text is null or user_id = ${userId})`
}
