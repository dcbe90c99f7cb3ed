import { eq } from 'drizzle-orm'
import type { Db } from './database.ts'
import { providerEvents } from './schema.ts'

type NewEvent = { id: string; type: string; objectType: string; objectId: string; now: Date }

/** Stores an event once: false if it was here before. */
export async function add(db: Db, { now, ...event }: NewEvent) {
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
  await db.update(providerEvents).set({ processedAt: now }).where(eq(providerEvents.id, id))
}
