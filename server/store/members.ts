import type { PermissionKey } from '#config/permissions.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { eq, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { members, users } from './schema.ts'
import { statement } from './statement.ts'

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

export async function listNames(db: Db, subscriptionId: string) {
  const rows = await db
    .select({ name: users.displayName })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.subscriptionId, subscriptionId))
    .orderBy(members.createdAt)
  return rows.map(({ name }) => name)
}

type Page = {
  page: number
  pageSize: number
  permission?: PermissionKey | undefined
  search?: string | undefined
  status?: SubscriptionUser['status'] | undefined
  sort?: 'name' | 'created' | undefined
  direction?: 'ascending' | 'descending' | undefined
  now: Date
}

/** Somebody without a name is sorted by their address, which is what the list shows of them. */
const orders = {
  name: {
    ascending: `lower(coalesce(nullif(display_name, ''), email)), id`,
    descending: `lower(coalesce(nullif(display_name, ''), email)) desc, id desc`,
  },
  created: { ascending: 'created_at, id', descending: 'created_at desc, id desc' },
}

/**
 * One page of members and pending invites. Without `sort`, the owner is first and the invites are
 * last, each in the order of creation.
 */
export async function listUsers(
  db: Db,
  subscriptionId: string,
  { page, pageSize, permission, search, status, sort, direction = 'ascending', now }: Page,
): Promise<{ users: SubscriptionUser[]; total: number }> {
  const order = sort ? orders[sort][direction] : 'is_owner desc, status, created_at, id'
  const { rows } = await db.execute<SubscriptionUser & { total: number }>(sql`
    with everybody as (
      select m.user_id id, u.display_name, u.email, m.permissions, 'active' status, '{}'::text[] pending_permissions,
        null invite_id, m.user_id is not distinct from s.owner_id is_owner, false is_expired, m.created_at,
        null::timestamptz expires_at, null host_name
      from members m join users u on u.id = m.user_id join subscriptions s on s.id = m.subscription_id
      where m.subscription_id = ${subscriptionId}
      union all
      select i.id, coalesce(i.name, ''), i.email, '{}', 'pending', i.permissions, i.id, false, i.expires_at <= ${now}, i.created_at,
        i.expires_at, h.display_name
      from invites i left join users h on h.id = i.host_id
      where i.subscription_id = ${subscriptionId} and i.status = 'pending'
    )
    select id, display_name, email, permissions, status, pending_permissions, invite_id, is_owner, is_expired,
      floor(extract(epoch from created_at))::int created,
      floor(extract(epoch from expires_at))::int expires, host_name, count(*) over () total
    from everybody
    where (${permission ?? null}::text is null or ${permission ?? null} = any(permissions))
      and (${status ?? null}::text is null or status = ${status ?? null})
      and (${search || null}::text is null or position(lower(${search ?? ''}) in lower(display_name || ' ' || email)) > 0)
    order by ${sql.raw(order)}
    limit ${sql.raw(String(Math.trunc(pageSize)))} offset ${(page - 1) * pageSize}`)
  if (rows.length === 0 && page > 1) {
    const first = { page: 1, pageSize, permission, search, status, now }
    return { ...(await listUsers(db, subscriptionId, first)), users: [] }
  }
  return { users: rows.map(({ total: _, ...user }) => user), total: rows[0]?.total ?? 0 }
}
