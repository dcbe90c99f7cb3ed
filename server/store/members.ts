import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { memoize } from '#contract/memoize.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { collationOf, isIn } from './fold.ts'
import { pages, type Page } from '../sql/pages.ts'
import { statement } from '../sql/statement.ts'

type NewMember = { subscriptionId: string; userId: string; permissions: PermissionKey[]; now: Date }

export const add = statement<NewMember>(
  'member_add',
  ({ subscriptionId, userId, permissions, now }) => sql`
    insert into members (subscription_id, user_id, permissions, created_at)
    values (${subscriptionId}, ${userId}, ${permissions}, ${now})`,
).send

type Membership = Pick<NewMember, 'subscriptionId' | 'userId'>

export const setPermissions = statement<Omit<NewMember, 'now'>>(
  'member_set_permissions',
  ({ subscriptionId, userId, permissions }) => sql`
    update members set permissions = ${permissions}
    where subscription_id = ${subscriptionId} and user_id = ${userId}`,
).send

export const remove = statement<Membership>(
  'member_remove',
  ({ subscriptionId, userId }) => sql`
    delete from members where subscription_id = ${subscriptionId} and user_id = ${userId}`,
).send

const inSubscriptions = statement<{ ids: string[] }, Membership>(
  'members_in',
  ({ ids }) => sql`
    select subscription_id "subscriptionId", user_id "userId" from members where subscription_id = any(${ids}::text[])`,
)

export async function listIn(db: Db, ids: string[]) {
  return inSubscriptions.all(db, { ids })
}

const names = statement<{ subscriptionId: string }, { name: string }>(
  'member_names',
  ({ subscriptionId }) => sql`
    select u.display_name "name" from members m join users u on u.id = m.user_id
    where m.subscription_id = ${subscriptionId} order by m.created_at`,
)

export async function listNames(db: Db, subscriptionId: string) {
  return (await names.all(db, { subscriptionId })).map(({ name }) => name)
}

type Wanted = {
  subscriptionId: string
  permission: PermissionKey | null
  search: string | null
  status: SubscriptionUser['status'] | null
  now: Date
}
type Counts = { total: number; members: number; pending: number }

const pagesBy = (name: string, order: string) =>
  pages<Wanted, SubscriptionUser, Counts>(
    `users_by_${name}`,
    ({ subscriptionId, permission, search, status, now }) => {
      const isFound = sql`(${permission}::text is null or ${permission} = any(permissions))
        and (${status}::text is null or status = ${status})
        and (${search}::text is null or ${isIn(search, sql`(display_name || ' ' || email)`)})`
      return {
        using: sql`everybody as (
          select m.user_id id, u.display_name, u.email, m.permissions, 'active' status, '{}'::text[] pending_permissions,
            null invite_id, m.user_id is not distinct from s.owner_id is_owner, false is_expired, false is_undeliverable, m.created_at,
            null::timestamptz expires_at, null host_name
          from members m join users u on u.id = m.user_id join subscriptions s on s.id = m.subscription_id
          where m.subscription_id = ${subscriptionId}
          union all
          select i.id, coalesce(i.name, ''), i.email, '{}', 'pending', i.permissions, i.id, false, i.expires_at <= ${now},
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
          select id, display_name, email, permissions, status, pending_permissions, invite_id, is_owner, is_expired, is_undeliverable,
            floor(extract(epoch from created_at))::int created,
            floor(extract(epoch from expires_at))::int expires, host_name,
            (select count(*) from invites where host_id = everybody.id and subscription_id = ${subscriptionId}
              and status = 'pending' and expires_at > ${now}) invites_sent
          from everybody where ${isFound} order by ${sql.raw(order)}`,
      }
    },
  )

const standing = pagesBy('standing', 'is_owner desc, status, created_at, id')

const byCreation = {
  ascending: pagesBy('created', 'created_at, id'),
  descending: pagesBy('created_descending', 'created_at desc, id desc'),
}

/** Somebody without a name is sorted by their address, which is what the list shows of them. */
const byName = memoize((language?: LanguageCode) => {
  const collation = collationOf(language)
  const name = `coalesce(nullif(display_name, ''), email) collate ${collation}`
  return {
    ascending: pagesBy(`name_${collation}`, `${name}, id`),
    descending: pagesBy(`name_descending_${collation}`, `${name} desc, id desc`),
  }
})

type Wish = Page & {
  permission?: PermissionKey | undefined
  search?: string | undefined
  status?: SubscriptionUser['status'] | undefined
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
export async function listUsers(
  db: Db,
  subscriptionId: string,
  {
    page,
    pageSize,
    permission,
    search,
    status,
    sort,
    direction = 'ascending',
    language,
    now,
  }: Wish,
) {
  const sorted = sort === 'name' ? byName(language ?? undefined) : byCreation
  const ask = sort ? sorted[direction] : standing
  const wanted = { permission: permission ?? null, search: search || null, status: status ?? null }
  const found = await ask(db, { subscriptionId, ...wanted, now }, { page, pageSize })
  const { rows: users, total, members, pending } = found
  return { users, total, taken: { members, pending } }
}
