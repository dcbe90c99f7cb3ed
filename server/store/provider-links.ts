import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { providerLinks, users } from './schema.ts'

type NewLink = {
  provider: string
  subject: string
  userId: string
  email: string | null
  now: Date
}

/** Links a provider's account to a user: false if either of them is linked already. Keeps whether the user's address was proved by then. */
export async function add(db: Db, { now, ...link }: NewLink) {
  const added = await db
    .insert(providerLinks)
    .values({
      ...link,
      attachedUnverified: sql`(select not email_verified from users where id = ${link.userId})`,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ provider: providerLinks.provider })
  return added.length === 1
}

/** The user that a provider's account stands for. */
export async function findUser(db: Db, provider: string, subject: string) {
  const [row] = await db
    .select({ user: users })
    .from(providerLinks)
    .innerJoin(users, eq(users.id, providerLinks.userId))
    .where(and(eq(providerLinks.provider, provider), eq(providerLinks.subject, subject)))
  return row?.user
}

export async function listOf(db: Db, userId: string) {
  return db
    .select()
    .from(providerLinks)
    .where(eq(providerLinks.userId, userId))
    .orderBy(asc(providerLinks.createdAt))
}

/** False if there was no such link. */
export async function remove(db: Db, userId: string, provider: string) {
  const removed = await db
    .delete(providerLinks)
    .where(and(eq(providerLinks.userId, userId), eq(providerLinks.provider, provider)))
    .returning({ provider: providerLinks.provider })
  return removed.length === 1
}

/** The providers that were linked. */
export async function removeAllOf(db: Db, userId: string) {
  const removed = await db
    .delete(providerLinks)
    .where(eq(providerLinks.userId, userId))
    .returning({ provider: providerLinks.provider })
  return removed.map(({ provider }) => provider)
}

/** The providers that were linked before the user's address was proved. */
export async function removeUnverifiedOf(db: Db, userId: string) {
  const removed = await db
    .delete(providerLinks)
    .where(and(eq(providerLinks.userId, userId), eq(providerLinks.attachedUnverified, true)))
    .returning({ provider: providerLinks.provider })
  return removed.map(({ provider }) => provider)
}

/** The user has proved their address while signed in, so the providers linked before that are theirs too. */
export async function markVerifiedOf(db: Db, userId: string) {
  await db
    .update(providerLinks)
    .set({ attachedUnverified: false })
    .where(eq(providerLinks.userId, userId))
}
