import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { collationOf, isIn } from '../sql/fold.ts'
import { askPage, type Page } from '../sql/pages.ts'
import { all, run, values } from '../sql/statement.ts'
import type { User } from './users.ts'

type NewMember = { subscriptionId: string; userId: string; permissions: PermissionKey[]; now: Date }

/** Nobody remembers then that the person was removed before, or has asked to join. */
export function add(db: Db, { subscriptionId, userId, permissions, now }: NewMember) {
  return run(db, 'member_add')`
    with forgiven as (
      delete from removed_members where subscription_id = ${subscriptionId} and user_id = ${userId}
    ), answered as (
      delete from join_requests where subscription_id = ${subscriptionId} and user_id = ${userId}
    )
    insert into members (subscription_id, user_id, permissions, created_at)
    values (${subscriptionId}, ${userId}, ${permissions}, ${now})`
}

type Membership = Pick<NewMember, 'subscriptionId' | 'userId'>

export function setPermissions(
  db: Db,
  { subscriptionId, userId, permissions }: Omit<NewMember, 'now'>,
) {
  return run(db, 'member_set_permissions')`
    update members set permissions = ${permissions}
    where subscription_id = ${subscriptionId} and user_id = ${userId}`
}

/** Puts a canceled subscription out of the sight of a member, or shows it again. */
export function hide(
  db: Db,
  { subscriptionId, userId, isHidden }: Membership & { isHidden: boolean },
) {
  return run(db, 'member_hide')`
    update members set has_hidden = ${isHidden}
    where subscription_id = ${subscriptionId} and user_id = ${userId}`
}

/** With `barredAt`, no link lets the person in again from then on. */
export function remove(
  db: Db,
  { subscriptionId, userId, barredAt = null }: Membership & { barredAt?: Date | null },
) {
  return run(db, 'member_remove')`
    with barred as (
      insert into removed_members (subscription_id, user_id, removed_at)
      select ${subscriptionId}, ${userId}, ${barredAt}::timestamptz where ${barredAt}::timestamptz is not null
      on conflict do nothing
    )
    delete from members where subscription_id = ${subscriptionId} and user_id = ${userId}`
}

/** `asksForFactor`: only sessions that have passed a second step hear of the subscription. */
export async function listIn(db: Db, ids: string[], now: Date) {
  return all<Membership & { asksForFactor: boolean }>(db, 'members_in')`
    select subscription_id "subscriptionId", user_id "userId",
      coalesce(second_factor_from <= ${now}, false) "asksForFactor"
    from members join subscriptions on subscriptions.id = subscription_id
    where subscription_id = any(${ids}::text[])`
}

/** The ids of a member's projects that ask for a second step by now. */
export function listAsking(db: Db, userId: string, now: Date) {
  return values<string>(db, 'subscriptions_asking')`
    select id from members join subscriptions on id = subscription_id
    where user_id = ${userId} and second_factor_from <= ${now}`
}

/** The members who have claimed their account and have no factor. */
export async function listWithoutFactor(db: Db, subscriptionId: string) {
  return all<Pick<User, 'id' | 'email' | 'displayName' | 'language' | 'claimed'>>(
    db,
    'members_without_factor',
  )`
    select u.id, u.email, u.display_name "displayName", u.language, u.claimed
    from members m join users u on u.id = m.user_id
    where m.subscription_id = ${subscriptionId} and u.claimed
      and not exists (select from factors where factors.user_id = u.id)`
}

export function listNames(db: Db, subscriptionId: string) {
  return values<string>(db, 'member_names')`
    select u.display_name from members m join users u on u.id = m.user_id
    where m.subscription_id = ${subscriptionId} order by m.created_at`
}

type Counts = { total: number; members: number; pending: number }

type Wish = Page & {
  permission?: PermissionKey | undefined
  search?: string | undefined
  status?: SubscriptionUser['status'] | undefined
  hasSecondFactor?: boolean | undefined
  sort?: 'name' | 'created' | undefined
  direction?: 'ascending' | 'descending' | undefined
  /** The reader's, whose order names have. */
  language: LanguageCode | null
  now: Date
}

/**
 * One page of members and pending invites, and the seats that all of them take. Without `sort`, the
 * owner is first and the invites are last, each in the order of creation.
 */
export async function listUsers(db: Db, subscriptionId: string, wish: Wish) {
  const { permission = null, status = null, hasSecondFactor = null, sort, now } = wish
  const search = wish.search || null
  const collation = collationOf(wish.language ?? undefined)
  const direction = wish.direction === 'descending' ? 'desc' : 'asc'
  const isFound = sql`(${permission}::text is null or ${permission} = any(permissions))
    and (${status}::text is null or status = ${status})
    and (${hasSecondFactor}::boolean is null or has_second_factor = ${hasSecondFactor})
    and (${search}::text is null or ${isIn(search, sql`(display_name || ' ' || email)`)})`
  // Somebody without a name is sorted by their address, which is what the list shows of them.
  const orders = {
    standing: `is_owner desc, status, created_at, id`,
    created: `created_at ${direction}, id ${direction}`,
    name: `coalesce(nullif(display_name, ''), email) collate ${collation} ${direction}, id ${direction}`,
  }
  const order = orders[sort ?? 'standing']
  const name = `users_by_${sort ?? 'standing'}_${direction}${sort === 'name' ? collation : ''}`
  const listing = {
    using: sql`everybody as (
      select m.user_id id, u.display_name, u.email, m.permissions, 'active' status, '{}'::text[] pending_permissions,
        null invite_id, m.user_id is not distinct from s.owner_id is_owner,
        (select count(*) > 0 from factors where factors.user_id = m.user_id) has_second_factor, false is_expired, false is_undeliverable, m.created_at,
        null::timestamptz expires_at, null host_name
      from members m join users u on u.id = m.user_id join subscriptions s on s.id = m.subscription_id
      where m.subscription_id = ${subscriptionId}
      union all
      select i.id, coalesce(i.name, ''), i.email, '{}', 'pending', i.permissions, i.id, false, null, i.expires_at <= ${now},
        exists (select from refused_mails where about = i.code_hash), i.created_at,
        i.expires_at, h.display_name
      from invites i left join users h on h.id = i.host_id
      where i.subscription_id = ${subscriptionId} and i.status = 'pending'
    )`,
    counts: sql`
      select count(*) filter (where ${isFound}) total, count(*) filter (where status = 'active') members,
        count(*) filter (where status = 'pending' and not is_expired) pending
      from everybody`,
    rows: sql`
      select id, display_name, email, permissions, status, pending_permissions, invite_id, is_owner, has_second_factor, is_expired, is_undeliverable,
        floor(extract(epoch from created_at))::int created,
        floor(extract(epoch from expires_at))::int expires, host_name,
        (select count(*) from invites where host_id = everybody.id and subscription_id = ${subscriptionId}
          and status = 'pending' and expires_at > ${now}) invites_sent
      from everybody where ${isFound} order by ${sql.raw(order)}`,
  }
  const found = await askPage<SubscriptionUser, Counts>(db, name, listing, wish)
  const { rows: users, total, members, pending } = found
  return { users, total, taken: { members, pending } }
}
