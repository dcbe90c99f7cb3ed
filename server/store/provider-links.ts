import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { providerLinks, users } from './schema.ts'
import { all, columns } from '../sql/statement.ts'

type Link = typeof providerLinks.$inferSelect
type NewLink = Omit<Link, 'attachedUnverified' | 'createdAt'> & { now: Date }

/** False if the account is linked already, or the user to another one at the provider. */
export async function add(db: Db, { now, ...link }: NewLink) {
  const { rowCount } = await db
    .insert(providerLinks)
    .values({
      ...link,
      attachedUnverified: sql`(select not email_verified from users where id = ${link.userId})`,
      createdAt: now,
    })
    .onConflictDoNothing()
  return rowCount === 1
}

export async function findUser(db: Db, provider: string, subject: string) {
  const [row] = await db
    .select({ user: users })
    .from(providerLinks)
    .innerJoin(users, eq(users.id, providerLinks.userId))
    .where(and(eq(providerLinks.provider, provider), eq(providerLinks.subject, subject)))
  return row?.user
}

export async function listOf(db: Db, userId: string) {
  return all<Link>(db, 'provider_links_of_user')`
    select ${columns(providerLinks)} from provider_links where user_id = ${userId} order by created_at`
}

export async function remove(db: Db, userId: string, provider: string) {
  await removeWhere(db, userId, eq(providerLinks.provider, provider))
}

export async function removeAllOf(db: Db, userId: string) {
  return removeWhere(db, userId)
}

/** Removes the links made before the user's address was verified, and returns their providers. */
export async function removeUnverifiedOf(db: Db, userId: string) {
  return removeWhere(db, userId, eq(providerLinks.attachedUnverified, true))
}

async function removeWhere(db: Db, userId: string, condition?: SQL) {
  const removed = await db
    .delete(providerLinks)
    .where(and(eq(providerLinks.userId, userId), condition))
    .returning({ provider: providerLinks.provider })
  return removed.map(({ provider }) => provider)
}

/** Marks all of a user's links as their own, because the user has verified the address. */
export async function markVerifiedOf(db: Db, userId: string) {
  await db
    .update(providerLinks)
    .set({ attachedUnverified: false })
    .where(eq(providerLinks.userId, userId))
}
