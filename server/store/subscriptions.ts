import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type { SubscriptionWithPeople } from '#contract/entities.ts'
import type { Settings } from '#contract/settings.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { SubscriptionId } from '../platform/ids.ts'
import type { Db } from '../sql/database.ts'
import { collationOf, isIn } from '../sql/fold.ts'
import { eachPage, exportedAtOnce, askPage, type Page } from '../sql/pages.ts'
import { subscriptions, withoutPayment } from './schema.ts'
import {
  opened,
  openedToEntity,
  settingsChanged,
  shown,
  shownWithPeople,
  toEntity,
  toEntityForWrite,
  withPeopleToEntity,
  type Opened,
  type Shown,
  type ShownToViewer,
  type Viewer,
} from './shown-subscription.ts'
import { all, columns, first, run, some, value, values } from '../sql/statement.ts'

type Row = typeof subscriptions.$inferSelect
type NewSubscription = {
  id: string
  ownerId: string
  planId: PlanId
  status: 'active' | 'incomplete'
  settings?: Settings
  permissions: PermissionKey[]
  /** False for a purchase that its buyer acknowledges once they know its outcome. */
  outcomeSeen?: false | null
  now: Date
}

/** Adds a subscription with its owner as the first member. False if the id exists. */
export async function add(
  db: Db,
  { id, ownerId, planId, status, settings = {}, permissions, outcomeSeen, now }: NewSubscription,
) {
  return some(db, 'subscription_add')`
    with added as (
      insert into subscriptions (id, owner_id, plan_id, status, settings, outcome_seen, created_at)
      values (${id}, ${ownerId}, ${planId}, ${status}, ${JSON.stringify(settings)}::jsonb, ${outcomeSeen}, ${now}) on conflict do nothing returning id
    )
    insert into members (subscription_id, user_id, permissions, created_at)
    select id, ${ownerId}, ${permissions}, ${now} from added`
}

/** Changes of members, seats, status or ownership lock this row. New rows may refer to it. */
export function lock(db: Db, { id }: { id: string }) {
  return run(db, 'subscription_lock')`
    select from subscriptions where id = ${id} for no key update`
}

/** Locks the row as `lock` does, and returns it. */
export async function lockRow(db: Db, id: string) {
  return first<Row>(db, 'subscription_lock_row')`
    select ${columns(subscriptions)} from subscriptions where id = ${id} for no key update`
}

/** Locks all subscriptions that a user is in, in the order of their ids. Returns the ids. */
export function lockAllOf(db: Db, userId: string) {
  return values<SubscriptionId>(db, 'subscriptions_lock_all_of')`
    select id from subscriptions where id in (select subscription_id from members where user_id = ${userId})
    order by id for no key update`
}

/** The subscription as the app gets it. Undefined while it waits for its first payment. */
export async function find(db: Db, id: string) {
  const row = await first<Shown>(db, 'subscription')`
    select ${shown}
    from subscriptions where id = ${id} and status <> 'incomplete'`
  return row && toEntity(row)
}

type ByUsers = { id: string; userId: string; otherId: string | undefined }
const columnsForWrite = [
  'id',
  'ownerId',
  'planId',
  'status',
  'lookOnly',
  'secondFactorFrom',
  'settings',
  'settingsChangedBy',
  'customerId',
] as const

type RowForWrite = Pick<Row, (typeof columnsForWrite)[number]> & {
  settingsChangedAt: Date
  own: PermissionKey[] | null
  others: PermissionKey[] | null
}

const heldBy = (userId: string | undefined) => sql`(
  select permissions from members where subscription_id = subscriptions.id and user_id = ${sql.param(userId)})`

/** The subscription with the permissions of these users only. */
export async function findForWrite(db: Db, { id, userId, otherId }: ByUsers) {
  const row = await first<RowForWrite>(db, 'subscription_for_write')`
    select ${columns(subscriptions, columnsForWrite)},
      ${settingsChanged} "settingsChangedAt", ${heldBy(userId)} own, ${heldBy(otherId)} others
    from subscriptions where id = ${id} and status <> 'incomplete'`
  if (!row) return undefined
  const { own, others, ...shown } = row
  const held: Shown['held'] = [
    [userId, own ?? []],
    [otherId ?? '', others ?? []],
  ]
  const { settingsChangedAt, settingsChangedBy, customerId } = shown
  const isPaying = customerId !== null
  return { ...toEntityForWrite({ ...shown, held }), settingsChangedAt, settingsChangedBy, isPaying }
}

const newest = sql`subscriptions.status = 'canceled', subscriptions.created_at desc, subscriptions.id desc`

export async function listOf(db: Db, userId: string) {
  const rows = await all<Shown>(db, 'subscriptions_of_user')`
    select ${shown}
    from subscriptions join members mine on mine.subscription_id = subscriptions.id and mine.user_id = ${userId}
    where status <> 'incomplete' order by ${newest}`
  return rows.map(toEntity)
}

/** The subscriptions of a user by their ids, in pages. */
export async function* eachOf(db: Db, userId: string) {
  const ask = async (last?: Shown) => all<Shown>(db, 'subscriptions_exported')`
    select ${shown}
    from members mine join subscriptions on subscriptions.id = mine.subscription_id
    where mine.user_id = ${userId} and mine.subscription_id > ${last?.id ?? ''} and status <> 'incomplete'
    order by mine.subscription_id limit ${exportedAtOnce}`
  for await (const rows of eachPage(ask)) yield rows.map(toEntity)
}

export async function listWithPeople(db: Db, viewer: Viewer) {
  const rows = await all<ShownToViewer>(db, 'subscriptions_with_people')`
    ${withPeople(viewer)} where status <> 'incomplete' order by ${newest}`
  return rows.map((row) => withPeopleToEntity(row, viewer))
}

const name = sql`coalesce(settings ->> 'name', '')`

type Wish = Page & {
  search: string | undefined
  /** The id of the one that a project's token may see. */
  only?: string | undefined
  sort: 'newest' | 'name' | 'needed'
  /** The reader's, whose order names have. */
  language: LanguageCode | null
}

/**
 * `search` finds a part of the name or the whole id. Canceled ones come last, and by name those
 * without one. `needed`: those come first whose payment is missing and that the viewer administers.
 */
export async function pageOf(
  db: Db,
  viewer: Viewer,
  { search, only, sort, language, ...page }: Wish,
): Promise<{ subscriptions: SubscriptionWithPeople[]; total: number }> {
  const wanted = search || null
  const isFound = sql`status <> 'incomplete'
    and (${wanted}::text is null or ${isIn(wanted, name)} or id = ${wanted})
    and (${sql.param(only)}::text is null or id = ${sql.param(only)})`
  const collation = collationOf(language ?? undefined)
  const byName = sql`status = 'canceled', ${name} = '', ${name} collate ${sql.raw(collation)}, subscriptions.id`
  const isNeeded = sql`status = 'active' and payment <> 'ok' and mine.permissions && ${sql.param(viewer.admins)}::text[]`
  const orders = {
    newest: ['subscriptions_by_newest', newest],
    needed: ['subscriptions_by_need', sql`not (${isNeeded}), ${newest}`],
    name: [`subscriptions_by_name_${collation}`, byName],
  } as const
  const [statement, order] = orders[sort]
  const { rows, total } = await askPage<ShownToViewer>(
    db,
    statement,
    {
      counts: sql`
        select count(*) total from subscriptions join members mine on ${isMineOf(viewer)} where ${isFound}`,
      rows: sql`${withPeople(viewer)} where ${isFound} order by ${order}`,
    },
    page,
  )
  return { subscriptions: rows.map((row) => withPeopleToEntity(row, viewer)), total }
}

/** Finds as `find` does, with the people whom this member may see and the settings' last change. */
export async function findOpened(db: Db, id: string, viewer: Viewer) {
  const row = await first<Opened>(db, 'subscription_opened')`
    select ${opened(viewer)}
    from subscriptions join members mine on ${isMineOf(viewer)}
    where subscriptions.id = ${id} and status <> 'incomplete'`
  return row && openedToEntity(row, viewer)
}

/** Locks an owner before the caller counts what they own. False if the account is deleted. */
export function lockOwner(db: Db, id: string) {
  return some(db, 'subscription_lock_owner')`
    select from users where id = ${id} for no key update`
}

/** An owner's purchases that ask for an acknowledgement, the newest first. */
export function listPurchases(db: Db, { ownerId, since }: { ownerId: string; since: Date }) {
  return all<Pick<Row, 'id' | 'status' | 'outcomeSeen'>>(db, 'subscriptions_purchases')`
    select ${columns(subscriptions, ['id', 'status', 'outcomeSeen'])} from subscriptions
    where owner_id = ${ownerId} and outcome_seen is not null and created_at > ${since}
      and status <> 'canceled'
    order by created_at desc, id`
}

/** Notes that the buyer knows the outcome, if the purchase asks for that. */
export function acknowledge(db: Db, { id }: { id: string }) {
  return run(db, 'subscription_acknowledge')`
    update subscriptions set outcome_seen = true where id = ${id} and outcome_seen = false`
}

/** Counts an owner's other active subscriptions that have one of these plans or change to one. */
export function countOthersOf(db: Db, ownerId: string, planIds: PlanId[], id: string) {
  return value<number>(db, 'subscriptions_count_others')`
    select count(*) from subscriptions
    where owner_id = ${ownerId} and status = 'active' and id <> ${id}
      and (plan_id = any(${planIds}::text[]) or next_plan_id = any(${planIds}::text[]))`
}

/** Removes an owner from canceled subscriptions and from purchases that were not paid. */
export function disown(db: Db, { id, email }: { id: string; email: string }) {
  return run(db, 'subscriptions_disown')`
    update subscriptions set owner_id = null, billing_email = nullif(billing_email, ${email})
    where owner_id = ${id} and status <> 'active'`
}

type NewSettings = { id: string; settings: Settings; by: string; now: Date }

/**
 * Replaces the fields that are given. The time of the change moves on even if the clock of another
 * server is ahead of this one.
 */
export async function setSettings(db: Db, { id, settings, by, now }: NewSettings) {
  await run(db, 'subscription_set_settings')`
    update subscriptions set settings = settings || ${JSON.stringify(settings)}::jsonb, settings_changed_by = ${by},
      settings_changed_at = greatest(${now}::timestamptz, ${settingsChanged} + interval '1 ms')
    where id = ${id}`
}

/** Null if it asks for none. */
export function setSecondFactorFrom(db: Db, id: string, from: Date | null) {
  return run(db, 'subscription_set_second_factor')`
    update subscriptions set second_factor_from = ${from} where id = ${id}`
}

export function setOwner(db: Db, id: string, ownerId: string) {
  return run(db, 'subscription_set_owner')`
    update subscriptions set owner_id = ${ownerId}, outcome_seen = null where id = ${id}`
}

/** Cancels an active subscription. Of several callers at once, exactly one gets true. */
export async function cancel(db: Db, id: string) {
  const { rowCount } = await db
    .update(subscriptions)
    .set({ status: 'canceled', ...withoutPayment, nextPlanId: null, requestedBy: null })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.status, 'active')))
  return rowCount === 1
}

export function removeIncomplete(db: Db, id: string) {
  return run(db, 'subscription_remove_incomplete')`
    delete from subscriptions where id = ${id} and status = 'incomplete'`
}

/**
 * Subscriptions with this text in their name. Finds one by its id, by the id or number of an invoice,
 * and by the provider's ids of its customer and subscription. For operators.
 */
export function search(db: Db, text: string, limit: number) {
  return all<Row>(db, 'subscriptions_search')`
    select ${columns(subscriptions)} from subscriptions
    where ${isIn(text, name)} or id in (select subscription_id from invoices where invoices.id = ${text} or number = ${text})
      or ${text} in (id, stripe_customer_id, stripe_subscription_id)
    order by created_at desc limit ${limit}`
}

function withPeople(viewer: Viewer) {
  return sql`select ${shownWithPeople(viewer)}
    from subscriptions join members mine on ${isMineOf(viewer)}`
}

function isMineOf({ userId }: Viewer) {
  return sql`mine.subscription_id = subscriptions.id and mine.user_id = ${userId}`
}
