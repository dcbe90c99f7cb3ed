import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { Invite, InviteStatus } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { Settings } from '#contract/settings.ts'
import { and, arrayOverlaps, desc, eq, gt, lte, not, sql, type SQL } from 'drizzle-orm'
import type { Db } from './database.ts'
import { hashOf } from '../platform/ids.ts'
import { seconds } from '../platform/time.ts'
import { invites, members, subscriptions, users } from './schema.ts'

type Row = typeof invites.$inferSelect
type Made = 'codeHash' | 'linkHash' | 'status' | 'createdAt' | 'endedAt'
type NewInvite = Omit<Row, Made> & { code: string; now: Date }

const isPending = eq(invites.status, 'pending')
const isOpen = (now: Date) => and(isPending, gt(invites.expiresAt, now))
const isIn = (subscriptionId: string) => eq(invites.subscriptionId, subscriptionId)
const newestFirst = [desc(invites.createdAt), desc(invites.id)]

/** Adds a pending invite. False if the address already has one to the subscription. */
export async function add(db: Db, { code, now, ...invite }: NewInvite) {
  const { rowCount } = await db
    .insert(invites)
    .values({ ...invite, codeHash: hashOf(code), status: 'pending', createdAt: now })
    .onConflictDoNothing()
  return rowCount === 1
}

/** Revokes an expired invite to the address, so that `add` can add a new one. */
export async function revokeExpired(db: Db, subscriptionId: string, email: string, now: Date) {
  const hasExpired = and(eq(invites.email, email), lte(invites.expiresAt, now))
  await endWhere(db, and(isIn(subscriptionId), hasExpired), 'revoked', now)
}

/** Lets the open invites to an address end now. Only examples need it. */
export async function expire(db: Db, email: string, now: Date) {
  const open = and(eq(invites.email, email), isOpen(now))
  await db.update(invites).set({ expiresAt: now }).where(open)
}

/** A subscription's members, open invites and plan. `nextPlanId` is the target of a change. */
export async function countSeats(db: Db, subscriptionId: string, now: Date) {
  const [row] = await db
    .select({
      planId: subscriptions.planId,
      nextPlanId: subscriptions.nextPlanId,
      members: db.$count(members, eq(members.subscriptionId, subscriptionId)),
      pending: db.$count(invites, and(isIn(subscriptionId), isOpen(now))),
    })
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId))
  return row!
}

export async function find(db: Db, id: string) {
  return db.query.invites.findFirst({ where: eq(invites.id, id) })
}

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

type Invitee = {
  userId: string | null
  displayName: string | null
  language: LanguageCode | null
  /** Shares a subscription with the host, or has accepted an invite of the host. */
  isKnown: boolean
}

/** The account with this address. Its fields are null if there is none. */
export async function findInvitee(db: Db, email: string, hostId: string) {
  const { rows } = await db.execute<Invitee>(sql`
    select users.id "userId", users.display_name "displayName", users.language,
      exists (select from invites where host_id = ${hostId} and email = ${email} and status = 'accepted')
      or exists (
        select from members theirs
          join members own on own.subscription_id = theirs.subscription_id and own.user_id = ${hostId}
        where theirs.user_id = users.id
      ) "isKnown"
    from (select) one left join users on users.email = ${email}`)
  return rows[0]!
}

type Ended = Exclude<InviteStatus, 'pending'>

/** Ends a pending invite. Of several callers at once, exactly one gets true. */
export async function end(db: Db, id: string, status: Ended, now: Date) {
  return (await endWhere(db, eq(invites.id, id), status, now)) === 1
}

export async function revokeAll(db: Db, subscriptionId: string, now: Date) {
  await endWhere(db, isIn(subscriptionId), 'revoked', now)
}

async function endWhere(db: Db, condition: SQL | undefined, status: Ended, now: Date) {
  const { rowCount } = await db
    .update(invites)
    .set({ status, endedAt: now })
    .where(and(condition, isPending))
  return rowCount
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

/** Replaces the code and the expiry of an invite. False if the invite is no longer pending. */
export async function renew(db: Db, id: string, code: string, expiresAt: Date) {
  const { rowCount } = await db
    .update(invites)
    .set({ codeHash: hashOf(code), expiresAt })
    .where(and(eq(invites.id, id), isPending))
  return rowCount === 1
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
