import type { PermissionKey } from '#config/permissions.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { members, users } from './schema.ts'

type NewMember = { subscriptionId: string; userId: string; permissions: PermissionKey[]; now: Date }

export async function add(db: Db, { now, ...member }: NewMember) {
  await db.insert(members).values({ ...member, createdAt: now })
}

export async function setPermissions(
  db: Db,
  { subscriptionId, userId, permissions }: Omit<NewMember, 'now'>,
) {
  await db.update(members).set({ permissions }).where(isMembership(subscriptionId, userId))
}

export async function remove(db: Db, subscriptionId: string, userId: string) {
  await db.delete(members).where(isMembership(subscriptionId, userId))
}

function isMembership(subscriptionId: string, userId: string) {
  return and(eq(members.subscriptionId, subscriptionId), eq(members.userId, userId))
}

export function listIn(db: Db, subscriptionIds: string[]) {
  return db
    .select({ subscriptionId: members.subscriptionId, userId: members.userId })
    .from(members)
    .where(sql`${members.subscriptionId} = any(${sql.param(subscriptionIds)})`)
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
  now: Date
}

/** One page of members, the owner first, then pending invites, each in the order of creation. */
export async function listUsers(
  db: Db,
  subscriptionId: string,
  { page, pageSize, permission, search, now }: Page,
): Promise<{ users: SubscriptionUser[]; total: number }> {
  const { rows } = await db.execute<SubscriptionUser & { total: number }>(sql`
    with everybody as (
      select m.user_id id, u.display_name, u.email, m.permissions, 'active' status, '{}'::text[] pending_permissions,
        null invite_id, m.user_id is not distinct from s.owner_id is_owner, false is_expired, m.created_at
      from members m join users u on u.id = m.user_id join subscriptions s on s.id = m.subscription_id
      where m.subscription_id = ${subscriptionId}
      union all
      select i.id, coalesce(i.name, ''), i.email, '{}', 'pending', i.permissions, i.id, false, i.expires_at <= ${now}, i.created_at
      from invites i
      where i.subscription_id = ${subscriptionId} and i.status = 'pending'
    )
    select id, display_name, email, permissions, status, pending_permissions, invite_id, is_owner, is_expired,
      floor(extract(epoch from created_at))::int created, count(*) over () total
    from everybody
    where (${permission ?? null}::text is null or ${permission ?? null} = any(permissions))
      and (${search || null}::text is null or position(lower(${search ?? ''}) in lower(display_name || ' ' || email)) > 0)
    order by is_owner desc, status, created_at, id
    limit ${sql.raw(String(Math.trunc(pageSize)))} offset ${(page - 1) * pageSize}`)
  if (rows.length === 0 && page > 1) {
    const first = { page: 1, pageSize, permission, search, now }
    return { ...(await listUsers(db, subscriptionId, first)), users: [] }
  }
  return { users: rows.map(({ total: _, ...user }) => user), total: rows[0]?.total ?? 0 }
}
