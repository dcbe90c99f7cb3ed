import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type { Invite, InviteStatus } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { Settings } from '#contract/settings.ts'
import { and, arrayOverlaps, desc, eq, gt, not, sql, type SQL } from 'drizzle-orm'
import type { Db } from './database.ts'
import { hashOf } from '../platform/ids.ts'
import { seconds } from '../platform/time.ts'
import { invites, members, subscriptions, users } from './schema.ts'
import { columns, statement } from './statement.ts'

type Row = typeof invites.$inferSelect
type Made = 'codeHash' | 'linkHash' | 'status' | 'createdAt' | 'endedAt'
type NewInvite = Omit<Row, Made> & { code: string; now: Date }

const isPending = eq(invites.status, 'pending')
const isOpen = (now: Date) => and(isPending, gt(invites.expiresAt, now))
const isIn = (subscriptionId: string) => eq(invites.subscriptionId, subscriptionId)
const newestFirst = [desc(invites.createdAt), desc(invites.id)]

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
  const open = and(eq(invites.email, email), isOpen(now))
  await db.update(invites).set({ expiresAt: now }).where(open)
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

const taken = statement<{ subscriptionId: string; now: Date }, TakenSeats>(
  'seats_taken',
  (given) =>
    sql`select ${takenSeats(given)} from subscriptions s where s.id = ${given.subscriptionId}`,
)

export async function countSeats(db: Db, subscriptionId: string, now: Date) {
  return (await taken.first(db, { subscriptionId, now }))!
}

const byId = statement<{ id: string }, Row>(
  'invite',
  ({ id }) => sql`select ${columns(invites)} from invites where id = ${id}`,
)

export async function find(db: Db, id: string) {
  return byId.first(db, { id })
}

/** Locks the subscription of an invite to this address, as `subscriptions.lock` does. */
export const lockSubscription = statement<{ id: string; email: string }>(
  'invite_lock_subscription',
  ({ id, email }) => sql`
    select from subscriptions
    where id = (select subscription_id from invites where id = ${id} and email = ${email}) for no key update`,
).send

/** The invite that a mailed link opens, and what the inviter called the person. */
export async function findByCode(db: Db, code: string) {
  const [row] = await select(db).where(eq(invites.codeHash, hashOf(code)))
  return row && { invite: toEntity(row), name: row.invite.name }
}

/** The invite that a copied link opens, and what the inviter called the person. */
export async function findByLink(db: Db, code: string) {
  const [row] = await select(db).where(eq(invites.linkHash, hashOf(code)))
  return row && { invite: toEntity(row), name: row.invite.name }
}

/** Replaces the code of the copied link. False if the invite is no longer pending. */
export async function setLink(db: Db, id: string, code: string) {
  const { rowCount } = await db
    .update(invites)
    .set({ linkHash: hashOf(code) })
    .where(and(eq(invites.id, id), isPending))
  return rowCount === 1
}

export async function listOpenFor(db: Db, email: string, now: Date) {
  const rows = await select(db)
    .where(and(eq(invites.email, email), isOpen(now), eq(subscriptions.status, 'active')))
    .orderBy(...newestFirst)
  return rows.map(toEntity)
}

/** The open invites of a member who has none of these permissions in the subscription. */
export async function listOpenSentBy(
  db: Db,
  hostId: string,
  { without, now }: { without: PermissionKey[]; now: Date },
) {
  const isOfHost = and(
    eq(members.subscriptionId, invites.subscriptionId),
    eq(members.userId, invites.hostId),
    not(arrayOverlaps(members.permissions, without)),
  )
  const rows = await select(db)
    .innerJoin(members, isOfHost)
    .where(and(eq(invites.hostId, hostId), isOpen(now), eq(subscriptions.status, 'active')))
    .orderBy(...newestFirst)
  return rows.map(toEntity)
}

export async function listAllFor(db: Db, email: string) {
  return (await select(db).where(eq(invites.email, email))).map(toEntity)
}

export async function listSentBy(db: Db, hostId: string) {
  return (await select(db).where(eq(invites.hostId, hostId))).map(toEntity)
}

type Asked = { subscriptionId: string; email: string; hostId: string; now: Date }

/** The account with this address. Its fields are null if there is none. */
export type Invitee = {
  userId: string | null
  displayName: string | null
  language: LanguageCode | null
  /** Shares a subscription with the host, or has accepted an invite of the host. */
  isKnown: boolean
  /** Whether the pending invite to the subscription has expired. Null if there is none. */
  hasExpired: boolean | null
}

const invitee = statement<Asked, Invitee & TakenSeats>('invitee', (given) => {
  const { subscriptionId, email, hostId, now } = given
  return sql`
    select ${takenSeats(given)}, u.id "userId", u.display_name "displayName", u.language,
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

type Ended = Exclude<InviteStatus, 'pending'>

const ended = statement<{ id: string; status: Ended; now: Date }, { id: string }>(
  'invite_end',
  ({ id, status, now }) => sql`
    update invites set status = ${status}, ended_at = ${now} where id = ${id} and status = 'pending' returning id`,
)

/** Ends a pending invite. Of several callers at once, exactly one gets true. */
export async function end(db: Db, id: string, status: Ended, now: Date) {
  return (await ended.first(db, { id, status, now })) !== undefined
}

export async function revokeAll(db: Db, subscriptionId: string, now: Date) {
  await db
    .update(invites)
    .set({ status: 'revoked', endedAt: now })
    .where(and(isIn(subscriptionId), isPending))
}

/** The addresses of the open invites. Each open invite holds a seat. */
export async function listOpen(db: Db, subscriptionId: string, now: Date) {
  const rows = await db
    .select({ email: invites.email })
    .from(invites)
    .where(and(isIn(subscriptionId), isOpen(now)))
    .orderBy(invites.createdAt)
  return rows.map(({ email }) => email)
}

const renewed = statement<{ id: string; codeHash: string; expiresAt: Date }, { id: string }>(
  'invite_renew',
  ({ id, codeHash, expiresAt }) => sql`
    update invites set code_hash = ${codeHash}, expires_at = ${expiresAt}
    where id = ${id} and status = 'pending' returning id`,
)

/** Replaces the code and the expiry of an invite. False if the invite is no longer pending. */
export async function renew(db: Db, id: string, code: string, expiresAt: Date) {
  return (await renewed.first(db, { id, codeHash: hashOf(code), expiresAt })) !== undefined
}

function select(db: Db) {
  return db
    .select({ invite: invites, settings: subscriptions.settings, host: users.displayName })
    .from(invites)
    .innerJoin(subscriptions, eq(subscriptions.id, invites.subscriptionId))
    .leftJoin(users, eq(users.id, invites.hostId))
    .$dynamic()
}

type Shown = { invite: Row; settings: Settings; host: string | null }

function toEntity({ invite, settings, host }: Shown): Invite {
  return {
    id: invite.id,
    email: invite.email,
    status: invite.status,
    subscription_id: invite.subscriptionId,
    subscription_name: projectName(settings),
    host_name: host ?? '',
    permissions: invite.permissions,
    created: seconds(invite.createdAt),
    expires: seconds(invite.expiresAt),
  }
}
