import type { LanguageCode } from '#config/languages.ts'
import type { PlanId } from '#config/plans.ts'
import type {
  ActionCodeMode,
  Invite,
  InviteStatus,
  SubscriptionStatus,
} from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { Settings } from '#contract/settings.ts'
import { and, eq, gt, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { hashOf } from '../platform/ids.ts'
import { seconds } from '../platform/time.ts'
import { eachPage, exportedAtOnce } from '../sql/pages.ts'
import { invites } from './schema.ts'
import { columns, statement } from '../sql/statement.ts'

type Row = typeof invites.$inferSelect
type Made = 'codeHash' | 'linkHash' | 'status' | 'createdAt' | 'endedAt'
type NewInvite = Omit<Row, Made> & { code: string; now: Date }

type Added = Omit<NewInvite, 'code'> & { codeHash: string }

const added = statement<Added>(
  'invite_add',
  ({ id, subscriptionId, email, name, permissions, hostId, codeHash, now, expiresAt }) => sql`
    insert into invites (id, subscription_id, email, name, permissions, status, host_id, code_hash, created_at, expires_at)
    values (${id}, ${subscriptionId}, ${email}, ${name}, ${permissions}, 'pending', ${hostId}, ${codeHash}, ${now}, ${expiresAt})`,
)

/** Adds a pending invite. The address has no other pending one to the subscription. */
export async function add(db: Db, { code, ...invite }: NewInvite) {
  await added.send(db, { ...invite, codeHash: hashOf(code) })
}

/** Revokes an expired invite to the address, so that `add` can add a new one. */
export const revokeExpired = statement<{ subscriptionId: string; email: string; now: Date }>(
  'invite_revoke_expired',
  ({ subscriptionId, email, now }) => sql`
    update invites set status = 'revoked', ended_at = ${now}
    where subscription_id = ${subscriptionId} and email = ${email} and expires_at <= ${now} and status = 'pending'`,
).send

/** Lets the open invites to an address end now. Only examples need it. */
export async function expire(db: Db, email: string, now: Date) {
  const isPending = and(eq(invites.email, email), eq(invites.status, 'pending'))
  await db
    .update(invites)
    .set({ expiresAt: now })
    .where(and(isPending, gt(invites.expiresAt, now)))
}

/** A subscription's plan, members and open invites. `nextPlanId` is the target of a change. */
export type TakenSeats = {
  planId: PlanId
  nextPlanId: PlanId | null
  members: number
  pending: number
}

const takenSeats = ({ now }: { now: SQL }) => sql`
  s.plan_id "planId", s.next_plan_id "nextPlanId",
  (select count(*) from members where subscription_id = s.id) members,
  (select count(*) from invites
    where subscription_id = s.id and status = 'pending' and expires_at > ${now}) pending`

const isMemberOf = (userId: SQL) => sql`
  exists (select from members where subscription_id = s.id and user_id = ${userId})`

type Joining = TakenSeats & { status: SubscriptionStatus; isMember: boolean }

const joining = statement<{ inviteId: string; userId: string; now: Date }, Joining>(
  'invite_joining',
  ({ inviteId, userId, now }) => sql`
    select ${takenSeats({ now })}, s.status, ${isMemberOf(userId)} "isMember"
    from subscriptions s join invites i on i.subscription_id = s.id
    where i.id = ${inviteId} and s.status <> 'incomplete'`,
)

/** What decides on whether this user can join the subscription of an invite. */
export async function findJoining(db: Db, asked: { inviteId: string; userId: string; now: Date }) {
  return joining.first(db, asked)
}

const locked = statement<{ id: string }, Row>(
  'invite_lock_row',
  ({ id }) => sql`select ${columns(invites)} from invites where id = ${id} for no key update`,
)

/** Locks the row, so that it stays pending until the caller has changed it, and returns it. */
export async function lockRow(db: Db, id: string) {
  return locked.first(db, { id })
}

/** Locks the subscription of an invite to this address, as `subscriptions.lock` does. */
export const lockSubscription = statement<{ id: string; email: string }>(
  'invite_lock_subscription',
  ({ id, email }) => sql`
    select from subscriptions
    where id = (select subscription_id from invites where id = ${id} and email = ${email}) for no key update`,
).send

const shown = sql`invites.id, invites.email, invites.status, invites.subscription_id "subscriptionId", invites.permissions,
  invites.created_at "createdAt", invites.expires_at "expiresAt", settings, hosts.display_name host`
const shownFrom = sql`invites join subscriptions on subscriptions.id = invites.subscription_id
  left join users hosts on hosts.id = invites.host_id`

type Opened = Shown & { name: string | null; isMailed: boolean; hasAccount: boolean }

// One `or` over two indexes would need a bitmap, which jobs do without.
const byCode = statement<{ hash: string }, Opened>(
  'invite_by_code',
  ({ hash }) => sql`
    select ${shown}, invites.name, code_hash = ${hash} "isMailed",
      exists (select from users where email = invites.email) "hasAccount"
    from ${shownFrom} where invites.id in (
      select id from invites where code_hash = ${hash} union all select id from invites where link_hash = ${hash}
    )`,
)

/**
 * The invite that a mailed or copied link opens, what the inviter called the person, and whether
 * the address has an account.
 */
export async function findByCode(db: Db, code: string) {
  const row = await byCode.first(db, { hash: hashOf(code) })
  if (!row) return undefined
  const { name, isMailed, hasAccount } = row
  return { invite: toEntity(row), name, isMailed, hasAccount }
}

const linked = statement<{ id: string; linkHash: string }>(
  'invite_set_link',
  ({ id, linkHash }) => sql`update invites set link_hash = ${linkHash} where id = ${id}`,
)

/** Replaces the code of the copied link. */
export async function setLink(db: Db, id: string, code: string) {
  await linked.send(db, { id, linkHash: hashOf(code) })
}

const isOpen = (now: SQL) => sql`invites.status = 'pending' and invites.expires_at > ${now}`
const newestFirst = sql`order by invites.created_at desc, invites.id desc`

const openFor = statement<{ email: string; now: Date }, Shown>(
  'invites_open_for',
  ({ email, now }) => sql`
    select ${shown} from ${shownFrom}
    where invites.email = ${email} and ${isOpen(now)} and subscriptions.status = 'active' ${newestFirst}`,
)

export async function listOpenFor(db: Db, email: string, now: Date) {
  return (await openFor.all(db, { email, now })).map(toEntity)
}

const openSentBy = statement<{ hostId: string; now: Date }, Shown>(
  'invites_open_sent_by',
  ({ hostId, now }) => sql`
    select ${shown} from ${shownFrom}
    where invites.host_id = ${hostId} and ${isOpen(now)} and subscriptions.status = 'active' ${newestFirst}`,
)

export async function listOpenSentBy(db: Db, hostId: string, now: Date) {
  return (await openSentBy.all(db, { hostId, now })).map(toEntity)
}

const exportedFor = statement<{ email: string; after: string }, Shown>(
  'invites_exported_for',
  ({ email, after }) => sql`
    select ${shown} from ${shownFrom} where invites.email = ${email} and invites.id > ${after}
    order by invites.id limit ${exportedAtOnce}`,
)

/** All invites for an address, in pages. */
export async function* eachFor(db: Db, email: string) {
  const ask = async (last?: Shown) => exportedFor.all(db, { email, after: last?.id ?? '' })
  for await (const rows of eachPage(ask)) yield rows.map(toEntity)
}

const exportedSentBy = statement<{ hostId: string; email: string; id: string }, Shown>(
  'invites_exported_sent_by',
  ({ hostId, email, id }) => sql`
    select ${shown} from ${shownFrom}
    where invites.host_id = ${hostId} and (invites.email, invites.id) > (${email}, ${id})
    order by invites.email, invites.id limit ${exportedAtOnce}`,
)

/** All invites that a user sent, by their addresses, in pages. */
export async function* eachSentBy(db: Db, hostId: string) {
  const ask = async (last?: Shown) =>
    exportedSentBy.all(db, { hostId, email: last?.email ?? '', id: last?.id ?? '' })
  for await (const rows of eachPage(ask)) yield rows.map(toEntity)
}

type Asked = {
  subscriptionId: string
  email: string
  hostId: string
  /** The modes of links that can give an account back to the address. */
  undoing: ActionCodeMode[]
  now: Date
}

/** The account with this address. Its fields are null if there is none. */
export type Invitee = {
  userId: string | null
  displayName: string | null
  language: LanguageCode | null
  isMember: boolean
  /** Has no account now, but a mailed link can still give back the one that it had. */
  hasMoved: boolean
  /** Shares a subscription with the host, or has accepted an invite of the host. */
  isKnown: boolean
  /** Whether the pending invite to the subscription has expired. Null if there is none. */
  hasExpired: boolean | null
}

const invitee = statement<Asked, Invitee & TakenSeats>('invitee', (given) => {
  const { subscriptionId, email, hostId, undoing, now } = given
  return sql`
    select ${takenSeats(given)}, u.id "userId", u.display_name "displayName", u.language,
      ${isMemberOf(sql`u.id`)} "isMember",
      u.id is null and exists (
        select from action_codes
        where email = ${email} and mode = any(${undoing}::text[]) and ended_at is null and expires_at > ${now}
      ) "hasMoved",
      exists (select from invites where host_id = ${hostId} and email = ${email} and status = 'accepted')
      or exists (
        select from members theirs
          join members own on own.subscription_id = theirs.subscription_id and own.user_id = ${hostId}
        where theirs.user_id = u.id
      ) "isKnown",
      (select expires_at <= ${now} from invites
        where subscription_id = s.id and email = ${email} and status = 'pending') "hasExpired"
    from subscriptions s left join users u on u.email = ${email} where s.id = ${subscriptionId}`
})

/** What decides on an invite: the invited person, and the seats of the subscription. */
export async function findInvitee(db: Db, asked: Asked) {
  return (await invitee.first(db, asked))!
}

const lockOf = (address: SQL) =>
  sql`pg_advisory_xact_lock(hashtextextended('invites to ' || ${address}, 0))`

/**
 * Until the transaction ends, nobody comes to an address, leaves it or invites it. The host's row is
 * locked before the address, because a change of address locks its user's row first too.
 */
export const lockAddress = statement<{ email: string; hostId: string }>(
  'invites_lock_address',
  ({ email, hostId }) => sql`
    select ${lockOf(sql`${email}::text`)} from (select from users where id = ${hostId} for key share) host`,
).send

/** The same for a user who moves from one address to another. */
export const lockMove = statement<{ addresses: string[] }>(
  'invites_lock_move',
  ({ addresses }) => sql`select ${lockOf(sql`address`)} from unnest(${addresses}::text[]) address`,
).send

type End = { id: string; status: Exclude<InviteStatus, 'pending'>; now: Date }

/** Ends an invite that is pending. The caller has locked it. */
export const end = statement<End>(
  'invite_end',
  ({ id, status, now }) =>
    sql`update invites set status = ${status}, ended_at = ${now} where id = ${id}`,
).send

type OfUser = { userId: string; email: string; now: Date }

/** Ends the pending invites to a user's address to subscriptions that the user has joined already. */
export const endOfMember = statement<OfUser>(
  'invites_end_of_member',
  ({ userId, email, now }) => sql`
    update invites set status = 'accepted', ended_at = ${now}
    where email = ${email} and status = 'pending'
      and exists (select from members where subscription_id = invites.subscription_id and user_id = ${userId})`,
).send

type Readdressed = { from: string; to: string; now: Date }

const readdressed = statement<Readdressed>(
  'invites_readdress',
  ({ from, to }) => sql`
    update invites set email = ${to}, link_hash = code_hash, code_hash = gen_random_uuid()::text
    where email = ${from} and status = 'pending' and not exists (
      select from invites other
      where other.subscription_id = invites.subscription_id and other.email = ${to} and other.status = 'pending'
    )`,
)

const revokedTo = statement<Readdressed>(
  'invites_revoke_to',
  ({ from, now }) => sql`
    update invites set status = 'revoked', ended_at = ${now} where email = ${from} and status = 'pending'`,
)

/**
 * Lets pending invites follow a person to another address, and ends those to subscriptions that
 * have invited it too. A link that was mailed to the former address proves nothing about this one.
 */
export async function readdress(db: Db, moved: Readdressed) {
  await Promise.all([readdressed.send(db, moved), revokedTo.send(db, moved)])
}

/** Ends the pending invites to an address, and forgets the address and the name in all. */
export const forget = statement<{ email: string; now: Date }>(
  'invites_forget',
  ({ email, now }) => sql`
    update invites set email = '', name = null, ended_at = coalesce(ended_at, ${now}),
      status = case when status = 'pending' then 'rejected' else status end
    where email = ${email}`,
).send

type OfHost = { hostId: string; subscriptionId: string | null }
export type SentInvite = Pick<Row, 'id' | 'subscriptionId' | 'email'>

const lockedOfHost = statement<OfHost, SentInvite>(
  'invites_lock_of_host',
  ({ hostId, subscriptionId }) => sql`
    select ${columns(invites, ['id', 'subscriptionId', 'email'])} from invites
    where host_id = ${hostId} and (${subscriptionId}::text is null or subscription_id = ${subscriptionId})
      and status = 'pending' order by id for no key update`,
)

/** Locks the pending invites that a host sent, to one subscription or to all, and returns them. */
export async function lockOfHost(db: Db, { hostId, subscriptionId }: OfHost) {
  return lockedOfHost.all(db, { hostId, subscriptionId })
}

/** Makes another person the host of an invite. The caller has locked it. */
export const setHost = statement<{ id: string; hostId: string }>(
  'invite_set_host',
  ({ id, hostId }) => sql`update invites set host_id = ${hostId} where id = ${id}`,
).send

export async function revokeAll(db: Db, subscriptionId: string, now: Date) {
  await db
    .update(invites)
    .set({ status: 'revoked', endedAt: now })
    .where(and(eq(invites.subscriptionId, subscriptionId), eq(invites.status, 'pending')))
}

const openIn = statement<{ subscriptionId: string; now: Date }, { email: string }>(
  'invites_open_in',
  ({ subscriptionId, now }) => sql`
    select email from invites where subscription_id = ${subscriptionId} and ${isOpen(now)} order by created_at`,
)

/** The addresses of the open invites. Each open invite holds a seat. */
export async function listOpen(db: Db, subscriptionId: string, now: Date) {
  return (await openIn.all(db, { subscriptionId, now })).map(({ email }) => email)
}

const renewed = statement<{ id: string; codeHash: string; expiresAt: Date }>(
  'invite_renew',
  ({ id, codeHash, expiresAt }) => sql`
    update invites set code_hash = ${codeHash}, expires_at = ${expiresAt} where id = ${id}`,
)

/** Replaces the code and the expiry of an invite that is pending. The caller has locked it. */
export async function renew(db: Db, id: string, code: string, expiresAt: Date) {
  await renewed.send(db, { id, codeHash: hashOf(code), expiresAt })
}

type Shown = Pick<
  Row,
  'id' | 'email' | 'status' | 'subscriptionId' | 'permissions' | 'createdAt' | 'expiresAt'
> & { settings: Settings; host: string | null }

function toEntity(row: Shown): Invite {
  return {
    id: row.id,
    email: row.email,
    status: row.status,
    subscription_id: row.subscriptionId,
    subscription_name: projectName(row.settings),
    host_name: row.host ?? '',
    permissions: row.permissions,
    created: seconds(row.createdAt),
    expires: seconds(row.expiresAt),
  }
}
