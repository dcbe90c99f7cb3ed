import { and, count, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Db } from './database.ts'
import { providerEvents } from './schema.ts'

const hasFailed = and(isNull(providerEvents.processedAt), isNotNull(providerEvents.error))

type NewEvent = { id: string; type: string; objectType: string; objectId: string; now: Date }

/** False if the event is there already. */
export async function create(db: Db, { now, ...event }: NewEvent) {
  const added = await db
    .insert(providerEvents)
    .values({ ...event, receivedAt: now })
    .onConflictDoNothing()
    .returning({ id: providerEvents.id })
  return added.length === 1
}

export async function find(db: Db, id: string) {
  const [event] = await db.select().from(providerEvents).where(eq(providerEvents.id, id))
  return event
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

/** Events whose last attempt has failed, the oldest first. */
export async function listFailed(db: Db) {
  return db.select().from(providerEvents).where(hasFailed).orderBy(providerEvents.receivedAt)
}

export async function countFailed(db: Db) {
  const [row] = await db.select({ failed: count() }).from(providerEvents).where(hasFailed)
  return row!.failed
}

/** Only processed events: the provider repeats an event for a few days at most. */
export async function removeOlder(db: Db, than: Date) {
  await db
    .delete(providerEvents)
    .where(and(isNotNull(providerEvents.processedAt), lt(providerEvents.receivedAt, than)))
}
