import { and, eq, lt } from 'drizzle-orm'
import type { Db } from './database.ts'
import { hashOf } from '../platform/ids.ts'
import { providerFlows } from './schema.ts'

type Secrets = { state: string; secret: string }
type NewFlow = Secrets & Omit<typeof providerFlows.$inferSelect, 'stateHash' | 'secretHash'>

export async function add(db: Db, { state, secret, ...flow }: NewFlow) {
  await db
    .insert(providerFlows)
    .values({ ...flow, stateHash: hashOf(state), secretHash: hashOf(secret) })
}

/** Deletes the flow and returns it, to one of several callers and only with the secret of the browser that began it. */
export async function consume(db: Db, { state, secret }: Secrets, provider: string) {
  const [flow] = await db
    .delete(providerFlows)
    .where(
      and(
        eq(providerFlows.stateHash, hashOf(state)),
        eq(providerFlows.secretHash, hashOf(secret)),
        eq(providerFlows.provider, provider),
      ),
    )
    .returning()
  return flow
}

export async function removeExpired(db: Db, now: Date) {
  await db.delete(providerFlows).where(lt(providerFlows.expiresAt, now))
}
