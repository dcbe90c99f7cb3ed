import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type { SubscriptionWithPeople } from '#contract/entities.ts'
import { memoize } from '#contract/memoize.ts'
import type { Settings } from '#contract/settings.ts'
import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { collationOf, isIn } from './fold.ts'
import { eachPage, exportedAtOnce, pages, type Page } from '../sql/pages.ts'
import { members, subscriptions, withoutPayment } from './schema.ts'
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
  type Viewer,
} from './shown-subscription.ts'
import { columns, statement, type Given } from '../sql/statement.ts'

type Row = typeof subscriptions.$inferSelect
type NewSubscription = {
  id: string
  ownerId: string
  planId: PlanId
  status: 'active' | 'incomplete'
  permissions: PermissionKey[]
  /** False for a purchase that its buyer acknowledges once they know its outcome. */
  outcomeSeen?: false | null
  now: Date
}

const added = statement<NewSubscription, { id: string }>(
  'subscription_add',
  ({ id, ownerId, planId, status, permissions, outcomeSeen, now }) => sql`
    with added as (
      insert into subscriptions (id, owner_id, plan_id, status, outcome_seen, created_at)
      values (${id}, ${ownerId}, ${planId}, ${status}, ${outcomeSeen}, ${now}) on conflict do nothing returning id
    )
    insert into members (subscription_id, user_id, permissions, created_at)
    select id, ${ownerId}, ${permissions}, ${now} from added returning subscription_id id`,
)

/** Adds a subscription with its owner as the first member. False if the id exists. */
export async function add(db: Db, subscription: NewSubscription) {
  return (await added.first(db, subscription)) !== undefined
}

/** Changes of members, seats, status or ownership lock this row. New rows may refer to it. */
export const lock = statement<{ id: string }>(
  'subscription_lock',
  ({ id }) => sql`select from subscriptions where id = ${id} for no key update`,
).send

const locked = statement<{ id: string }, Row>(
  'subscription_lock_row',
  ({ id }) => sql`
    select ${columns(subscriptions)} from subscriptions where id = ${id} for no key update`,
)

/** Locks the row as `lock` does, and returns it. */
export async function lockRow(db: Db, id: string) {
  return locked.first(db, { id })
}

/** Locks all subscriptions that a user is in, in the order of their ids. Returns the ids. */
export async function lockAllOf(db: Db, userId: string) {
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      inArray(
        subscriptions.id,
        db.select({ id: members.subscriptionId }).from(members).where(eq(members.userId, userId)),
      ),
    )
    .orderBy(subscriptions.id)
    .for('no key update')
  return rows.map(({ id }) => id)
}

const byId = statement<{ id: string }, Shown>(
  'subscription',
  ({ id }) => sql`
    select ${shown}
    from subscriptions where id = ${id} and status <> 'incomplete'`,
)

/** The subscription as the app gets it. Undefined while it waits for its first payment. */
export async function find(db: Db, id: string) {
  const row = await byId.first(db, { id })
  return row && toEntity(row)
}

type ByUsers = { id: string; userId: string; otherId: string | undefined }
const columnsForWrite = [
  'id',
  'ownerId',
  'status',
  'settings',
  'settingsChangedBy',
  'customerId',
] as const

type RowForWrite = Pick<Row, (typeof columnsForWrite)[number]> & {
  settingsChangedAt: Date
  own: PermissionKey[] | null
  others: PermissionKey[] | null
}

const heldBy = (userId: SQL) => sql`(
  select permissions from members where subscription_id = subscriptions.id and user_id = ${userId})`

const forWrite = statement<ByUsers, RowForWrite>(
  'subscription_for_write',
  ({ id, userId, otherId }) => sql`
    select ${columns(subscriptions, [...columnsForWrite])},
      ${settingsChanged} "settingsChangedAt", ${heldBy(userId)} own, ${heldBy(otherId)} others
    from subscriptions where id = ${id} and status <> 'incomplete'`,
)

/** The subscription with the permissions of these users only. */
export async function findForWrite(db: Db, asked: ByUsers) {
  const row = await forWrite.first(db, asked)
  if (!row) return undefined
  const { own, others, ...shown } = row
  const held: Shown['held'] = [
    [asked.userId, own ?? []],
    [asked.otherId ?? '', others ?? []],
  ]
  const { settingsChangedAt, settingsChangedBy, customerId } = shown
  const isPaying = customerId !== null
  return { ...toEntityForWrite({ ...shown, held }), settingsChangedAt, settingsChangedBy, isPaying }
}

const newest = sql`subscriptions.status = 'canceled', subscriptions.created_at desc, subscriptions.id desc`

const ofUser = statement<{ userId: string }, Shown>(
  'subscriptions_of_user',
  ({ userId }) => sql`
    select ${shown}
    from subscriptions join members mine on mine.subscription_id = subscriptions.id and mine.user_id = ${userId}
    where status <> 'incomplete' order by ${newest}`,
)

export async function listOf(db: Db, userId: string) {
  return (await ofUser.all(db, { userId })).map(toEntity)
}

const exportedOfUser = statement<{ userId: string; after: string }, Shown>(
  'subscriptions_exported',
  ({ userId, after }) => sql`
    select ${shown}
    from members mine join subscriptions on subscriptions.id = mine.subscription_id
    where mine.user_id = ${userId} and mine.subscription_id > ${after} and status <> 'incomplete'
    order by mine.subscription_id limit ${exportedAtOnce}`,
)

/** The subscriptions of a user by their ids, in pages. */
export async function* eachOf(db: Db, userId: string) {
  const ask = async (last?: Shown) => exportedOfUser.all(db, { userId, after: last?.id ?? '' })
  for await (const rows of eachPage(ask)) yield rows.map(toEntity)
}

const seenBy = statement<Viewer, Shown>(
  'subscriptions_with_people',
  (viewer) => sql`${withPeople(viewer)} where status <> 'incomplete' order by ${newest}`,
)

export async function listWithPeople(db: Db, viewer: Viewer) {
  return (await seenBy.all(db, viewer)).map((row) => withPeopleToEntity(row, viewer))
}

type Wanted = Viewer & { search: string | null }

const name = sql`coalesce(settings ->> 'name', '')`

const isFound = ({ search }: Given<Wanted>) => sql`status <> 'incomplete'
  and (${search}::text is null or ${isIn(search, name)} or id = ${search})`

const pagesBy = (sort: string, order: SQL) =>
  pages<Wanted, Shown>(`subscriptions_by_${sort}`, (wanted) => ({
    counts: sql`
      select count(*) total from subscriptions join members mine on ${isMineOf(wanted)} where ${isFound(wanted)}`,
    rows: sql`${withPeople(wanted)} where ${isFound(wanted)} order by ${order}`,
  }))

const byCreation = pagesBy('newest', newest)
const byName = memoize((language?: LanguageCode) => {
  const collation = collationOf(language)
  return pagesBy(
    `name_${collation}`,
    sql`status = 'canceled', ${name} = '', ${name} collate ${sql.raw(collation)}, subscriptions.id`,
  )
})

type Wish = Page & {
  search: string | undefined
  sort: 'newest' | 'name'
  /** The reader's, whose order names have. */
  language: LanguageCode | null
}

/**
 * `search` finds a part of the name or the whole id. Canceled ones come last, and by name those
 * without one.
 */
export async function pageOf(
  db: Db,
  viewer: Viewer,
  { search, sort, language, ...page }: Wish,
): Promise<{ subscriptions: SubscriptionWithPeople[]; total: number }> {
  const ask = sort === 'name' ? byName(language ?? undefined) : byCreation
  const { rows, total } = await ask(db, { ...viewer, search: search || null }, page)
  return { subscriptions: rows.map((row) => withPeopleToEntity(row, viewer)), total }
}

const openedBy = statement<{ id: string } & Viewer, Opened>(
  'subscription_opened',
  (given) => sql`select ${opened(given)}
    from subscriptions join members mine on ${isMineOf(given)}
    where subscriptions.id = ${given.id} and status <> 'incomplete'`,
)

/** Finds as `find` does, with the people whom this member may see and the settings' last change. */
export async function findOpened(db: Db, id: string, viewer: Viewer) {
  const row = await openedBy.first(db, { id, ...viewer })
  return row && openedToEntity(row, viewer)
}

const ownerLocked = statement<{ id: string }, { id: string }>(
  'subscription_lock_owner',
  ({ id }) => sql`select id from users where id = ${id} for no key update`,
)

/** Locks an owner before the caller counts what they own. False if the account is deleted. */
export async function lockOwner(db: Db, id: string) {
  return (await ownerLocked.first(db, { id })) !== undefined
}

const purchases = statement<
  { ownerId: string; since: Date },
  Pick<Row, 'id' | 'status' | 'outcomeSeen'>
>(
  'subscriptions_purchases',
  ({ ownerId, since }) => sql`
    select ${columns(subscriptions, ['id', 'status', 'outcomeSeen'])} from subscriptions
    where owner_id = ${ownerId} and outcome_seen is not null and created_at > ${since}
      and status <> 'canceled'
    order by created_at desc, id`,
)

/** An owner's purchases that ask for an acknowledgement, the newest first. */
export const listPurchases = purchases.all

/** Notes that the buyer knows the outcome, if the purchase asks for that. */
export const acknowledge = statement<{ id: string }>(
  'subscription_acknowledge',
  ({ id }) => sql`
    update subscriptions set outcome_seen = true where id = ${id} and outcome_seen = false`,
).send

type Others = { ownerId: string; planIds: PlanId[]; id: string }

const others = statement<Others, { count: number }>(
  'subscriptions_count_others',
  ({ ownerId, planIds, id }) => sql`
    select count(*) from subscriptions
    where owner_id = ${ownerId} and status = 'active' and id <> ${id}
      and (plan_id = any(${planIds}::text[]) or next_plan_id = any(${planIds}::text[]))`,
)

/** Counts an owner's other active subscriptions that have one of these plans or change to one. */
export async function countOthersOf(db: Db, ownerId: string, planIds: PlanId[], id: string) {
  return (await others.first(db, { ownerId, planIds, id }))!.count
}

/** Removes an owner from canceled subscriptions and from purchases that were not paid. */
export async function disown(db: Db, { id, email }: { id: string; email: string }) {
  await db
    .update(subscriptions)
    .set({ ownerId: null, billingEmail: sql`nullif(${subscriptions.billingEmail}, ${email})` })
    .where(and(eq(subscriptions.ownerId, id), ne(subscriptions.status, 'active')))
}

type NewSettings<Kept> = { id: string; settings: Kept; by: string; now: Date }

/** The time moves on even if the clock of another server is ahead of this one. */
const changed = statement<NewSettings<string>>(
  'subscription_set_settings',
  ({ id, settings, by, now }) => sql`
    update subscriptions set settings = settings || ${settings}::jsonb, settings_changed_by = ${by},
      settings_changed_at = greatest(${now}::timestamptz, ${settingsChanged} + interval '1 ms')
    where id = ${id}`,
)

/** Replaces the fields that are given. */
export async function setSettings(db: Db, change: NewSettings<Settings>) {
  await changed.send(db, { ...change, settings: JSON.stringify(change.settings) })
}

export async function setOwner(db: Db, id: string, ownerId: string) {
  await db.update(subscriptions).set({ ownerId, outcomeSeen: null }).where(eq(subscriptions.id, id))
}

/** Cancels an active subscription. Of several callers at once, exactly one gets true. */
export async function cancel(db: Db, id: string) {
  const { rowCount } = await db
    .update(subscriptions)
    .set({ status: 'canceled', ...withoutPayment, nextPlanId: null, requestedBy: null })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.status, 'active')))
  return rowCount === 1
}

export async function removeIncomplete(db: Db, id: string) {
  await db
    .delete(subscriptions)
    .where(and(eq(subscriptions.id, id), eq(subscriptions.status, 'incomplete')))
}

/**
 * Subscriptions with this text in their name. Finds one by its id, by the id or number of an invoice,
 * and by the provider's ids of its customer and subscription. For operators.
 */
export async function search(db: Db, text: string, limit: number) {
  const ofInvoice = sql`select subscription_id from invoices where invoices.id = ${text} or number = ${text}`
  return db
    .select()
    .from(subscriptions)
    .where(
      sql`${isIn(sql`${text}`, name)} or ${subscriptions.id} in (${ofInvoice})
        or ${text} in (${subscriptions.id}, ${subscriptions.customerId}, ${subscriptions.providerSubscriptionId})`,
    )
    .orderBy(sql`created_at desc`)
    .limit(limit)
}

function withPeople(viewer: Given<Viewer>) {
  return sql`select ${shownWithPeople(viewer)}
    from subscriptions join members mine on ${isMineOf(viewer)}`
}

function isMineOf({ userId }: Pick<Given<Viewer>, 'userId'>) {
  return sql`mine.subscription_id = subscriptions.id and mine.user_id = ${userId}`
}
