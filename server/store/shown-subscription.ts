import type { PermissionKey } from '#config/permissions.ts'
import type { Subscription } from '#contract/entities.ts'
import { sql, type SQL } from 'drizzle-orm'
import { seconds } from '../platform/time.ts'
import { chargesOf, chargeWithoutCard } from './charges.ts'
import { subscriptions } from './schema.ts'
import { columns } from './statement.ts'

const heldBy = (whom: SQL) => sql`(
  select coalesce(json_agg(json_build_array(user_id, permissions) order by created_at, user_id), '[]')
  from members where subscription_id = subscriptions.id ${whom})`

const shownColumns = [
  'id',
  'ownerId',
  'planId',
  'status',
  'payment',
  'settings',
  'createdAt',
  'renewsAt',
  'weeklyAmount',
  'currency',
  'endsAt',
  'collectionPaused',
  'hasCard',
] as const

const shownWith = (held: SQL) => sql`${columns(subscriptions, [...shownColumns])}, ${held} held`

/** What the app gets of a subscription. */
export const shown = shownWith(heldBy(sql``))

/** The same with the permissions of these users only. */
export const shownFor = (userIds: SQL) =>
  shownWith(heldBy(sql`and user_id = any(${userIds}::text[])`))

export type Shown = Pick<typeof subscriptions.$inferSelect, (typeof shownColumns)[number]> & {
  held: [userId: string, permissions: PermissionKey[]][]
}

export function toEntity({ held, ...row }: Shown): Subscription {
  const permissions: Subscription['permissions'] = {}
  for (const [userId, keys] of held) for (const key of keys) (permissions[key] ??= []).push(userId)
  return {
    id: row.id,
    owner_id: row.ownerId ?? '',
    plan_id: row.planId,
    status: row.status === 'canceled' ? 'canceled' : 'active',
    payment: row.payment,
    ...chargesOf(row),
    weekly: row.weeklyAmount,
    currency: row.currency,
    needs_card: row.status === 'active' && chargeWithoutCard(row) !== undefined,
    settings: row.settings,
    permissions,
    created: seconds(row.createdAt),
  }
}
