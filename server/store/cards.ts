import type { PaymentMethod } from '#contract/entities.ts'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { cards, members, subscriptions, users } from './schema.ts'

type NewCard = Pick<PaymentMethod, 'id' | 'card'> &
  Pick<typeof cards.$inferInsert, 'subscriptionId' | 'addedBy'> & { now: Date }

/** Leaves an existing card as it is. Of several callers at once, exactly one gets true. */
export async function create(db: Db, { id, card, subscriptionId, addedBy, now }: NewCard) {
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
  const row = { id, subscriptionId, addedBy, brand, last4, expMonth, expYear, createdAt: now }
  const { rowCount } = await db.insert(cards).values(row).onConflictDoNothing()
  return rowCount === 1
}

export async function has(db: Db, id: string) {
  return (await db.$count(cards, eq(cards.id, id))) > 0
}

/** The user who added each card of a subscription, by the card's id. */
export async function mapAdders(db: Db, subscriptionId: string) {
  const rows = await db
    .select({ cardId: cards.id, id: users.id, name: users.displayName })
    .from(cards)
    .innerJoin(users, eq(users.id, cards.addedBy))
    .where(eq(cards.subscriptionId, subscriptionId))
  return new Map(rows.map(({ cardId, id, name }) => [cardId, { id, name }]))
}

/** The cards that a user added, newest first, even in subscriptions that the user has left. */
export async function listOf(db: Db, userId: string) {
  return db
    .select({
      card: cards,
      subscription: subscriptions,
      isMember: sql<boolean>`${members.userId} is not null`,
    })
    .from(cards)
    .innerJoin(subscriptions, eq(subscriptions.id, cards.subscriptionId))
    .leftJoin(
      members,
      and(eq(members.subscriptionId, cards.subscriptionId), eq(members.userId, cards.addedBy)),
    )
    .where(eq(cards.addedBy, userId))
    .orderBy(desc(cards.createdAt), desc(cards.id))
}

/** The cards of a subscription that somebody other than its owner added. */
export async function listOfOthers(db: Db, subscriptionId: string) {
  const rows = await db
    .select({ card: cards })
    .from(cards)
    .innerJoin(subscriptions, eq(subscriptions.id, cards.subscriptionId))
    .where(and(eq(cards.subscriptionId, subscriptionId), ne(cards.addedBy, subscriptions.ownerId)))
  return rows.map(({ card }) => card)
}

export async function removeAllBut(db: Db, subscriptionId: string, kept: string | undefined) {
  const isOther = kept === undefined ? undefined : ne(cards.id, kept)
  await db.delete(cards).where(and(eq(cards.subscriptionId, subscriptionId), isOther))
}

export async function remove(db: Db, id: string) {
  await db.delete(cards).where(eq(cards.id, id))
}
