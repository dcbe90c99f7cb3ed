import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type {
  ActionCodeMode,
  Invite,
  InviteStatus,
  LookOnly,
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
import { all, columns, first, run, values } from '../sql/statement.ts'

type Row = typeof invites.$inferSelect
type Made = 'codeHash' | 'linkHash' | 'status' | 'createdAt' | 'endedAt'
type NewInvite = Omit<Row, Made> & { code: string; now: Date }

/** Adds a pending invite. The address has no other pending one to the subscription. */
export async function add(db: Db, { code, ...invite }: NewInvite) {
  const { id, subscriptionId, email, name, permissions, hostId, now, expiresAt } = invite
  await run(db, 'invite_add')`
    insert into invites (id, subscription_id, email, name, permissions, status, host_id, code_hash, created_at, expires_at)
    values (${id}, ${subscriptionId}, ${email}, ${name}, ${permissions}, 'pending', ${hostId}, ${hashOf(code)}, ${now}, ${expiresAt})`
}

type Sent = Pick<NewInvite, 'subscriptionId' | 'email' | 'now'>

/** Revokes an expired invite to the address, so that `add` can add a new one. */
export function revokeExpired(db: Db, { subscriptionId, email, now }: Sent) {
  return run(db, 'invite_revoke_expired')`
    update invites set status = 'revoked', ended_at = ${now}
    where subscription_id = ${subscriptionId} and email = ${email} and expires_at <= ${now} and status = 'pending'`
}

/** Lets the open invites to an address end now. Only examples need it. */
export async function expire(db: Db, email: string, now: Date) {
  const isPending = and(eq(invites.email, email), eq(invites.status, 'pending'))
  await db
    .update(invites)
    .set({ expiresAt: now })
    .where(and(isPending, gt(invites.expiresAt, now)))
}

/**
 * A subscription's plan, members and open invites. `nextPlanId` is the target of a change,
 * `heldPlanId` that of one that is about to take effect.
 */
export type TakenSeats = {
  planId: PlanId
  nextPlanId: PlanId | null
  heldPlanId: PlanId | null
  members: number
  pending: number
}

const takenSeats = (now: Date) => sql`
  s.plan_id "planId", s.next_plan_id "nextPlanId", s.held_plan_id "heldPlanId",
  (select count(*) from members where subscription_id = s.id) members,
  (select count(*) from invites
    where subscription_id = s.id and status = 'pending' and expires_at > ${now}) pending`

const isMemberOf = (userId: string | SQL) => sql`
  exists (select from members where subscription_id = s.id and user_id = ${userId})`

type ByInvite = { inviteId: string; userId: string; now: Date }
type Joining = TakenSeats & {
  status: SubscriptionStatus
  lookOnly: LookOnly | null
  isMember: boolean
}

/** What decides on whether this user can join the subscription of an invite. */
export async function findJoining(db: Db, { inviteId, userId, now }: ByInvite) {
  return first<Joining>(db, 'invite_joining')`
    select ${takenSeats(now)}, s.status, s.look_only "lookOnly", ${isMemberOf(userId)} "isMember"
    from subscriptions s join invites i on i.subscription_id = s.id
    where i.id = ${inviteId} and s.status <> 'incomplete'`
}

type ByPerson = { subscriptionId: string; userId: string; now: Date }
type Coming = Omit<Joining, 'status'> & {
  email: string
  wasRemoved: boolean
  /** What an open invite promises the person, and who sent it. Null if there is none. */
  invitedAs: PermissionKey[] | null
  invitedBy: string | null
}

/** What decides on whether a person can join an active subscription without accepting an invite. */
export async function findComing(db: Db, { subscriptionId, userId, now }: ByPerson) {
  return first<Coming>(db, 'invite_coming')`
    select ${takenSeats(now)}, s.look_only "lookOnly", ${isMemberOf(userId)} "isMember", u.email,
      exists (select from removed_members where subscription_id = s.id and user_id = u.id) "wasRemoved",
      i.permissions "invitedAs", i.host_id "invitedBy"
    from subscriptions s join users u on u.id = ${userId}
      left join invites i on i.subscription_id = s.id and i.email = u.email and i.status = 'pending' and i.expires_at > ${now}
    where s.id = ${subscriptionId} and s.status = 'active'`
}

/** Locks the row, so that it stays pending until the caller has changed it, and returns it. */
export async function lockRow(db: Db, id: string) {
  return first<Row>(db, 'invite_lock_row')`
    select ${columns(invites)} from invites where id = ${id} for no key update`
}

/** Locks the subscription of an invite to this address, as `subscriptions.lock` does. */
export function lockSubscription(db: Db, { id, email }: { id: string; email: string }) {
  return run(db, 'invite_lock_subscription')`
    select from subscriptions
    where id = (select subscription_id from invites where id = ${id} and email = ${email}) for no key update`
}

const shown = sql`invites.id, invites.email, invites.status, invites.subscription_id "subscriptionId", invites.permissions,
  invites.created_at "createdAt", invites.expires_at "expiresAt", settings, second_factor_from "secondFactorFrom", hosts.display_name host`
const shownFrom = sql`invites join subscriptions on subscriptions.id = invites.subscription_id
  left join users hosts on hosts.id = invites.host_id`

type Opened = Shown & { name: string | null; isMailed: boolean; hasAccount: boolean }

/**
 * The invite that a mailed or copied link opens, what the inviter called the person, and whether
 * the address has an account.
 */
export async function findByCode(db: Db, code: string) {
  const hash = hashOf(code)
  // One `or` over two indexes would need a bitmap, which jobs do without.
  const row = await first<Opened>(db, 'invite_by_code')`
    select ${shown}, invites.name, code_hash = ${hash} "isMailed",
      exists (select from users where email = invites.email) "hasAccount"
    from ${shownFrom} where invites.id in (
      select id from invites where code_hash = ${hash} union all select id from invites where link_hash = ${hash}
    )`
  if (!row) return undefined
  const { name, isMailed, hasAccount } = row
  return { invite: toEntity(row), name, isMailed, hasAccount }
}

/** Replaces the code of the copied link. */
export async function setLink(db: Db, id: string, code: string) {
  await run(db, 'invite_set_link')`
    update invites set link_hash = ${hashOf(code)} where id = ${id}`
}

const isOpen = (now: Date) => sql`invites.status = 'pending' and invites.expires_at > ${now}`
const newestFirst = sql`order by invites.created_at desc, invites.id desc`

export async function listOpenFor(db: Db, email: string, now: Date) {
  const rows = await all<Shown>(db, 'invites_open_for')`
    select ${shown} from ${shownFrom}
    where invites.email = ${email} and ${isOpen(now)} and subscriptions.status = 'active' ${newestFirst}`
  return rows.map(toEntity)
}

export async function listOpenSentBy(db: Db, hostId: string, now: Date) {
  const rows = await all<Shown>(db, 'invites_open_sent_by')`
    select ${shown} from ${shownFrom}
    where invites.host_id = ${hostId} and ${isOpen(now)} and subscriptions.status = 'active' ${newestFirst}`
  return rows.map(toEntity)
}

/** All invites for an address, in pages. */
export async function* eachFor(db: Db, email: string) {
  const ask = async (last?: Shown) => all<Shown>(db, 'invites_exported_for')`
    select ${shown} from ${shownFrom} where invites.email = ${email} and invites.id > ${last?.id ?? ''}
    order by invites.id limit ${exportedAtOnce}`
  for await (const rows of eachPage(ask)) yield rows.map(toEntity)
}

/** All invites that a user sent, but to these projects, by their addresses, in pages. */
export async function* eachSentBy(db: Db, hostId: string, without: string[]) {
  const ask = async (last?: Shown) =>
    all<Shown>(db, 'invites_exported_sent_by')`
    select ${shown} from ${shownFrom}
    where invites.host_id = ${hostId} and subscription_id <> all(${without}::text[])
      and (invites.email, invites.id) > (${last?.email ?? ''}, ${last?.id ?? ''})
    order by invites.email, invites.id limit ${exportedAtOnce}`
  for await (const rows of eachPage(ask)) yield rows.map(toEntity)
}

const isStranger = sql`u.claimed is not true`
const isUninvited = (mailbox: string) =>
  sql`exists (select from uninvited_mailboxes where mailbox = ${mailbox})`

type Asked = {
  subscriptionId: string
  email: string
  /** The key of the address's mailbox: see core/mailboxes.ts. */
  mailbox: string
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
  /** Nobody has shown that they own an account with the address, so mails to it can be ended. */
  isStranger: boolean
  /** A stranger who has ended them. */
  wantsNone: boolean
}

/** What decides on an invite: the invited person, and the seats of the subscription. */
export async function findInvitee(db: Db, asked: Asked) {
  const { subscriptionId, email, mailbox, hostId, undoing, now } = asked
  const found = await first<Invitee & TakenSeats>(db, 'invitee')`
    select ${takenSeats(now)}, u.id "userId", u.display_name "displayName", u.language,
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
        where subscription_id = s.id and email = ${email} and status = 'pending') "hasExpired",
      ${isStranger} "isStranger", ${isStranger} and ${isUninvited(mailbox)} "wantsNone"
    from subscriptions s left join users u on u.email = ${email} where s.id = ${subscriptionId}`
  return found!
}

/** What mails of invitations to an address may do by now. */
export async function findStranger(db: Db, { email, mailbox }: { email: string; mailbox: string }) {
  return first<Pick<Invitee, 'isStranger' | 'wantsNone'>>(db, 'invites_stranger')`
    select ${isStranger} "isStranger", ${isStranger} and ${isUninvited(mailbox)} "wantsNone"
    from (select ${email}::text email) given left join users u on u.email = given.email`
}

/** Mails no more invitations to a mailbox, for as long as its owner has no account. */
export function endMails(db: Db, { mailbox, now }: { mailbox: string; now: Date }) {
  return run(db, 'invites_end_mails')`
    insert into uninvited_mailboxes (mailbox, at) values (${mailbox}, ${now}) on conflict do nothing`
}

const lockOf = (address: SQL) =>
  sql`pg_advisory_xact_lock(hashtextextended('invites to ' || ${address}, 0))`

/**
 * Until the transaction ends, no account takes or leaves the address, and nobody else invites it.
 * The host's row is locked first, because a change of address locks its user's row first too.
 */
export function lockAddress(db: Db, { email, hostId }: { email: string; hostId: string }) {
  return run(db, 'invites_lock_address')`
    select ${lockOf(sql`${email}::text`)} from (select from users where id = ${hostId} for key share) host`
}

/** The same for a user who moves from one address to another. */
export function lockMove(db: Db, { addresses }: { addresses: string[] }) {
  return run(db, 'invites_lock_move')`
    select ${lockOf(sql`address`)} from unnest(${addresses}::text[]) address`
}

type End = { id: string; status: Exclude<InviteStatus, 'pending'>; now: Date }

/** Ends an invite that is pending. The caller has locked it. */
export function end(db: Db, { id, status, now }: End) {
  return run(db, 'invite_end')`
    update invites set status = ${status}, ended_at = ${now} where id = ${id}`
}

type OfUser = { userId: string; email: string; now: Date }

/** Ends the pending invites to a user's address to subscriptions that the user has joined already. */
export function endOfMember(db: Db, { userId, email, now }: OfUser) {
  return run(db, 'invites_end_of_member')`
    update invites set status = 'accepted', ended_at = ${now}
    where email = ${email} and status = 'pending'
      and exists (select from members where subscription_id = invites.subscription_id and user_id = ${userId})`
}

type Readdressed = { from: string; to: string; now: Date }

/**
 * Lets pending invites follow a person to another address, and ends those to subscriptions that
 * have invited it too. A link that was mailed to the former address proves nothing about this one.
 */
export async function readdress(db: Db, { from, to, now }: Readdressed) {
  await Promise.all([
    run(db, 'invites_readdress')`
      update invites set email = ${to}, link_hash = code_hash, code_hash = gen_random_uuid()::text
      where email = ${from} and status = 'pending' and not exists (
        select from invites other
        where other.subscription_id = invites.subscription_id and other.email = ${to} and other.status = 'pending'
      )`,
    run(db, 'invites_revoke_to')`
      update invites set status = 'revoked', ended_at = ${now} where email = ${from} and status = 'pending'`,
  ])
}

/** Ends the pending invites to an address, and forgets the address and the name in all. */
export function forget(db: Db, { email, now }: { email: string; now: Date }) {
  return run(db, 'invites_forget')`
    update invites set email = '', name = null, ended_at = coalesce(ended_at, ${now}),
      status = case when status = 'pending' then 'rejected' else status end
    where email = ${email}`
}

type OfHost = { hostId: string; subscriptionId: string | null }
export type SentInvite = Pick<Row, 'id' | 'subscriptionId' | 'email'>

/** Locks the pending invites that a host sent, to one subscription or to all, and returns them. */
export async function lockOfHost(db: Db, { hostId, subscriptionId }: OfHost) {
  return all<SentInvite>(db, 'invites_lock_of_host')`
    select ${columns(invites, ['id', 'subscriptionId', 'email'])} from invites
    where host_id = ${hostId} and (${subscriptionId}::text is null or subscription_id = ${subscriptionId})
      and status = 'pending' order by id for no key update`
}

/** Makes another person the host of an invite. The caller has locked it. */
export function setHost(db: Db, { id, hostId }: { id: string; hostId: string }) {
  return run(db, 'invite_set_host')`
    update invites set host_id = ${hostId} where id = ${id}`
}

export async function revokeAll(db: Db, subscriptionId: string, now: Date) {
  await db
    .update(invites)
    .set({ status: 'revoked', endedAt: now })
    .where(and(eq(invites.subscriptionId, subscriptionId), eq(invites.status, 'pending')))
}

/** The addresses of the open invites. Each open invite holds a seat. */
export function listOpen(db: Db, subscriptionId: string, now: Date) {
  return values<string>(db, 'invites_open_in')`
    select email from invites where subscription_id = ${subscriptionId} and ${isOpen(now)} order by created_at`
}

/** Replaces the code and the expiry of an invite that is pending. The caller has locked it. */
export async function renew(db: Db, id: string, code: string, expiresAt: Date) {
  await run(db, 'invite_renew')`
    update invites set code_hash = ${hashOf(code)}, expires_at = ${expiresAt} where id = ${id}`
}

type Shown = Pick<
  Row,
  'id' | 'email' | 'status' | 'subscriptionId' | 'permissions' | 'createdAt' | 'expiresAt'
> & { settings: Settings; host: string | null; secondFactorFrom: Date | null }

function toEntity(row: Shown): Invite {
  return {
    id: row.id,
    email: row.email,
    status: row.status,
    subscription_id: row.subscriptionId,
    subscription_name: projectName(row.settings),
    host_name: row.host ?? '',
    permissions: row.permissions,
    second_factor_from: row.secondFactorFrom && seconds(row.secondFactorFrom),
    created: seconds(row.createdAt),
    expires: seconds(row.expiresAt),
  }
}
