import type { EpochSeconds } from '#contract/entities.ts'
import type { Db } from '../sql/database.ts'
import { all, first, run } from '../sql/statement.ts'
import { joinRequests } from './schema.ts'

type Row = typeof joinRequests.$inferSelect
type NewRequest = Pick<Row, 'id' | 'subscriptionId' | 'userId'> & {
  now: Date
  /** A request that was declined after that still stands. */
  declinedBefore: Date
}

/**
 * Adds the request of a person who is not in the active subscription, nor invited to it, and has no
 * other one. Returns whether it did.
 */
export async function add(db: Db, { id, subscriptionId, userId, now, ...request }: NewRequest) {
  const added = await first(db, 'join_request_add')`
    insert into join_requests (id, subscription_id, user_id, created_at)
    select ${id}, s.id, u.id, ${now} from subscriptions s join users u on u.id = ${userId}
    where s.id = ${subscriptionId} and s.status = 'active'
      and not exists (select from members where subscription_id = s.id and user_id = u.id)
      and not exists (
        select from invites
        where subscription_id = s.id and email = u.email and status = 'pending' and expires_at > ${now}
      )
    on conflict (subscription_id, user_id) do update set id = excluded.id, created_at = excluded.created_at, declined_at = null
      where join_requests.declined_at <= ${request.declinedBefore}
    returning 1`
  return added !== undefined
}

type Listed = { id: string; name: string; email: string; created: EpochSeconds }

/** The open requests to a subscription, the oldest first. */
export function listOpen(db: Db, subscriptionId: string, most: number) {
  return all<Listed>(db, 'join_requests_open')`
    select r.id, display_name "name", email, floor(extract(epoch from r.created_at))::int created
    from join_requests r join users u on u.id = r.user_id
    where r.subscription_id = ${subscriptionId} and declined_at is null
    order by r.created_at, r.id limit ${most}`
}

export function listOf(db: Db, userId: string) {
  return all<Pick<Row, 'subscriptionId' | 'createdAt'>>(db, 'join_requests_of_user')`
    select subscription_id "subscriptionId", created_at "createdAt"
    from join_requests where user_id = ${userId} order by created_at`
}

/** Locks the subscription that an open request is for, as `subscriptions.lock` does. */
export function lockSubscription(db: Db, id: string) {
  return run(db, 'join_request_lock_subscription')`
    select from subscriptions
    where id = (select subscription_id from join_requests where id = ${id}) for no key update`
}

type Open = Pick<Row, 'subscriptionId' | 'userId'> & { displayName: string }

export async function findOpen(db: Db, id: string) {
  return first<Open>(db, 'join_request')`
    select subscription_id "subscriptionId", user_id "userId", display_name "displayName"
    from join_requests r join users on users.id = user_id where r.id = ${id} and declined_at is null`
}

export function decline(db: Db, { id, now }: { id: string; now: Date }) {
  return run(db, 'join_request_decline')`
    update join_requests set declined_at = ${now} where id = ${id}`
}

/** Ends the request of whoever has this address: an invite answers it. */
export function endOf(
  db: Db,
  { subscriptionId, email }: { subscriptionId: string; email: string },
) {
  return run(db, 'join_request_end_of')`
    delete from join_requests
    where subscription_id = ${subscriptionId} and user_id = (select id from users where email = ${email})`
}

export function removeAllIn(db: Db, subscriptionId: string) {
  return run(db, 'join_requests_end')`
    delete from join_requests where subscription_id = ${subscriptionId}`
}

export function removeDeclined(db: Db, before: Date) {
  return run(db, 'join_requests_remove_declined')`
    delete from join_requests where declined_at < ${before}`
}
