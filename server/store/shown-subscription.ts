import type { PermissionKey } from '#config/permissions.ts'
import type {
  OpenedSubscription,
  Person,
  Subscription,
  SubscriptionWithPeople,
} from '#contract/entities.ts'
import { weeklyAmount } from '#contract/prices.ts'
import { sql, type SQL } from 'drizzle-orm'
import { seconds } from '../platform/time.ts'
import { chargesOf, chargeWithoutCard, priceOf } from './charges.ts'
import { subscriptions } from './schema.ts'
import { columns } from '../sql/statement.ts'

/** Who looks at people, and the permissions that make an administrator. */
export type Viewer = { userId: string; admins: PermissionKey[] }

/** How many people are shown with a subscription. */
const mostPeople = 6

/** A change of one of them is news to open tabs: the trigger `live_changed` names them too. */
export const shownColumns = [
  'id',
  'ownerId',
  'planId',
  'status',
  'payment',
  'settings',
  'createdAt',
  'renewsAt',
  'amount',
  'frequency',
  'every',
  'currency',
  'endsAt',
  'endsBy',
  'scheduled',
  'trialEndsAt',
  'discount',
  'lookOnly',
  'collectionPaused',
  'hasCard',
  'secondFactorFrom',
] as const

const heldBy = (members: SQL, fields = sql`user_id, permissions`) => sql`(
  select coalesce(json_agg(json_build_array(${fields}) order by members.created_at, user_id), '[]')
  from ${members})`

const shownWith = (held: SQL) => sql`${columns(subscriptions, shownColumns)}, ${held} held`

/** What the app gets of a subscription. */
export const shown = shownWith(heldBy(sql`members where subscription_id = subscriptions.id`))

/** The same with the names of the members who may be among the people shown. */
export const shownWithPeople = ({ userId, admins }: Viewer) =>
  sql`mine.has_hidden "isHidden", ${shownWith(
    heldBy(
      sql`(
        select user_id, permissions, created_at, row_number() over (order by created_at, user_id) place
        from members where subscription_id = subscriptions.id
      ) members left join users on users.id = case
        when place <= ${sql.raw(String(mostPeople))} or permissions && ${sql.param(admins)}::text[]
          or user_id in (${userId}, owner_id) then user_id end`,
      sql`user_id, permissions, display_name, avatar_url`,
    ),
  )}`

export type Shown = Pick<typeof subscriptions.$inferSelect, (typeof shownColumns)[number]> & {
  /** Members in the order of joining. */
  held: [id: string, permissions: PermissionKey[], name?: string, avatar?: string | null][]
}

/** With what only the viewer knows of it. */
export type ShownToViewer = Shown & { isHidden: boolean }

/** The members with each permission. */
function toPermissions(held: Shown['held']) {
  const permissions: Subscription['permissions'] = {}
  for (const [userId, keys] of held) for (const key of keys) (permissions[key] ??= []).push(userId)
  return permissions
}

/** What a write decides on. It needs the permissions of its caller and of the user it is about. */
export type SubscriptionForWrite = ReturnType<typeof toEntityForWrite> & {
  settingsChangedAt: Date
  /** A user's id. */
  settingsChangedBy: string | null
  /** Whether the payment provider has a customer for it. */
  isPaying: boolean
}

export function toEntityForWrite(
  row: Pick<
    Shown,
    'id' | 'ownerId' | 'planId' | 'status' | 'lookOnly' | 'secondFactorFrom' | 'settings' | 'held'
  >,
) {
  return {
    id: row.id,
    owner_id: row.ownerId ?? '',
    plan_id: row.planId,
    status: row.status === 'canceled' ? 'canceled' : 'active',
    look_only: row.lookOnly,
    second_factor_from: row.secondFactorFrom && seconds(row.secondFactorFrom),
    settings: row.settings,
    permissions: toPermissions(row.held),
  } satisfies Partial<Subscription>
}

export function toEntity(row: Shown): Subscription {
  const price = priceOf(row)
  return {
    ...toEntityForWrite(row),
    access: row.lookOnly ? 'lookOnly' : 'full',
    payment: row.payment,
    ...chargesOf(row),
    trial_ends: row.trialEndsAt && seconds(row.trialEndsAt),
    discount: row.discount,
    ends_by: row.endsAt && (row.endsBy ?? 'operator'),
    price,
    weekly: price && weeklyAmount(price),
    currency: row.currency,
    needs_card: row.status === 'active' && chargeWithoutCard(row) !== undefined,
    created: seconds(row.createdAt),
  }
}

/** One subscription with what only its own screens need. */
export const opened = ({ userId, admins }: Viewer) => sql`${shownWithPeople({ userId, admins })},
  ${settingsChanged} "settingsChangedAt",
  case when mine.permissions && ${sql.param(admins)}::text[] then (
    select display_name from users where users.id = settings_changed_by) end "settingsChangedBy",
  case when mine.permissions && ${sql.param(admins)}::text[] and status = 'active' then
    coalesce(next_plan_id, case when requested_by is not null then 'canceled' end) end "changingTo"`

/** When the settings were last changed, or else when the subscription was created. */
export const settingsChanged = sql`coalesce(settings_changed_at, subscriptions.created_at)`

export type Opened = ShownToViewer & {
  settingsChangedAt: Date
  settingsChangedBy: string | null
  changingTo: OpenedSubscription['changing_to']
}

export function openedToEntity(row: Opened, viewer: Viewer): OpenedSubscription {
  return {
    ...withPeopleToEntity(row, viewer),
    settings_changed: row.settingsChangedAt.toISOString(),
    settings_changed_by: row.settingsChangedBy,
    changing_to: row.changingTo,
  }
}

export function withPeopleToEntity(row: ShownToViewer, viewer: Viewer): SubscriptionWithPeople {
  return { ...toEntity(row), people: peopleOf(row, viewer), is_hidden: row.isHidden }
}

/** The owner, then administrators, then others as they joined. Only administrators see others. */
function peopleOf({ ownerId, held }: Shown, { userId, admins }: Viewer): Person[] {
  const {
    owner = [],
    admin = [],
    other = [],
  } = Object.groupBy(held, ([id, keys]) =>
    id === ownerId ? 'owner' : keys.some((key) => admins.includes(key)) ? 'admin' : 'other',
  )
  const self = other.filter(([id]) => id === userId)
  return [...owner, ...admin, ...(self.length > 0 ? self : other)]
    .slice(0, mostPeople)
    .map(([id, , name, avatar]) => ({ id, name: name!, avatar_url: avatar ?? null }))
}
