import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Db } from './database.ts'
import { providerEvents } from './schema.ts'

const hasFailed = and(isNull(providerEvents.processedAt), isNotNull(providerEvents.error))

type NewEvent = { id: string; type: string; objectType: string; objectId: string; now: Date }

/** Adds an event. False if it exists already. */
export async function create(db: Db, { now, ...event }: NewEvent) {
  const { rowCount } = await db
    .insert(providerEvents)
    .values({ ...event, receivedAt: now })
    .onConflictDoNothing()
  return rowCount === 1
}

export async function find(db: Db, id: string) {
  return db.query.providerEvents.findFirst({ where: eq(providerEvents.id, id) })
}

export async function markProcessed(db: Db, id: string, now: Date) {
  await db
    .update(providerEvents)
    .set({ processedAt: now, error: null })
    .where(and(eq(providerEvents.id, id), isNull(providerEvents.processedAt)))
}

export async function markFailed(db: Db, id: string, error: string) {
  await db.update(providerEvents).set({ error }).where(eq(providerEvents.id, id))
}

/** Events that the last attempt could not process, the oldest first. */
export async function listFailed(db: Db) {
  return db.select().from(providerEvents).where(hasFailed).orderBy(providerEvents.receivedAt)
}

export async function countFailed(db: Db) {
  return db.$count(providerEvents, hasFailed)
}

/** Removes only processed events, which the provider repeats for a few days at most. */
export async function removeOlder(db: Db, than: Date) {
  await db
    .delete(providerEvents)
    .where(and(isNotNull(providerEvents.processedAt), lt(providerEvents.receivedAt, than)))
}
