import { and, desc, eq } from 'drizzle-orm'
import type { Db } from './database.ts'
import { cards, subscriptions, users } from './schema.ts'

export type CardRow = typeof cards.$inferSelect

/** Keeps who added a card, unless it is kept already. The first to say it is right, and hears so. */
export async function add(db: Db, card: typeof cards.$inferInsert) {
  const added = await db.insert(cards).values(card).onConflictDoNothing().returning({ id: cards.id })
  return added.length === 1
}

export async function isKept(db: Db, id: string) {
  return (await db.$count(cards, eq(cards.id, id))) > 0
}

/** Who added the cards of a project: by the card's id. */
export async function mapAdders(db: Db, subscriptionId: string) {
  const rows = await db
    .select({ cardId: cards.id, id: users.id, name: users.displayName })
    .from(cards)
    .innerJoin(users, eq(users.id, cards.addedBy))
    .where(eq(cards.subscriptionId, subscriptionId))
  return new Map(rows.map(({ cardId, id, name }) => [cardId, { id, name }]))
}

/** What somebody added, in whatever project and whether they are still in it: newest first. */
export async function listOf(db: Db, userId: string) {
  return db
    .select({ card: cards, subscription: subscriptions })
    .from(cards)
    .innerJoin(subscriptions, eq(subscriptions.id, cards.subscriptionId))
    .where(eq(cards.addedBy, userId))
    .orderBy(desc(cards.createdAt), desc(cards.id))
}

export async function findOf(db: Db, userId: string, { id, subscriptionId }: { id: string; subscriptionId: string }) {
  const [row] = await db
    .select()
    .from(cards)
    .where(and(eq(cards.id, id), eq(cards.subscriptionId, subscriptionId), eq(cards.addedBy, userId)))
  return row
}

export async function removeAll(db: Db, subscriptionId: string) {
  await db.delete(cards).where(eq(cards.subscriptionId, subscriptionId))
}

export async function remove(db: Db, id: string) {
  await db.delete(cards).where(eq(cards.id, id))
}
