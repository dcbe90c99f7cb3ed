import type { EpochSeconds } from '#contract/entities.ts'
import type { Db } from '../sql/database.ts'
import { all, first, run, some } from '../sql/statement.ts'
import type { joinRequests } from './schema.ts'

type Row = typeof joinRequests.$inferSelect
type Asking = Pick<Row, 'subscriptionId' | 'userId'>
/** A request that was declined after `declinedBefore` still stands. */
type NewRequest = Asking & { id: string; now: Date; declinedBefore: Date }

/** Adds a request, unless the person has one to the subscription. Returns whether it did. */
export function add(db: Db, { id, subscriptionId, userId, now, ...request }: NewRequest) {
  return some(db, 'join_request_add')`
    insert into join_requests (id, subscription_id, user_id, created_at)
    values (${id}, ${subscriptionId}, ${userId}, ${now})
    on conflict (subscription_id, user_id) do update set id = excluded.id, created_at = excluded.created_at, declined_at = null
      where join_requests.declined_at <= ${request.declinedBefore}`
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

/** What a person's export has of them. */
export function listOf(db: Db, userId: string) {
  return all<{ subscription_id: string }>(db, 'join_requests_of_user')`
    select subscription_id, created_at created from join_requests where user_id = ${userId} order by created_at`
}

export async function findOpen(db: Db, id: string) {
  return first<Asking & { displayName: string }>(db, 'join_request')`
    select subscription_id "subscriptionId", user_id "userId", display_name "displayName"
    from join_requests r join users on users.id = user_id where r.id = ${id} and declined_at is null`
}

export function decline(db: Db, { id, now }: { id: string; now: Date }) {
  return run(db, 'join_request_decline')`
    update join_requests set declined_at = ${now} where id = ${id}`
}

export function removeOf(db: Db, { subscriptionId, userId }: Asking) {
  return run(db, 'join_request_remove_of')`
    delete from join_requests where subscription_id = ${subscriptionId} and user_id = ${userId}`
}

export function removeAllIn(db: Db, subscriptionId: string) {
  return run(db, 'join_requests_end')`
    delete from join_requests where subscription_id = ${subscriptionId}`
}

export function removeDeclined(db: Db, before: Date) {
  return run(db, 'join_requests_remove_declined')`
    delete from join_requests where declined_at < ${before}`
}
