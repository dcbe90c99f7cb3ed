import { and, eq, lt } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { hashOf } from '../platform/ids.ts'
import { providerFlows } from './schema.ts'

type Secrets = { state: string; secret: string }
type NewFlow = Secrets & Omit<typeof providerFlows.$inferSelect, 'stateHash' | 'secretHash'>

export async function add(db: Db, { state, secret, ...flow }: NewFlow) {
  await db
    .insert(providerFlows)
    .values({ ...flow, stateHash: hashOf(state), secretHash: hashOf(secret) })
}

/** Returns the flow and deletes it. Only the browser that began it has the secret. */
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
