import type { Db } from '../sql/database.ts'
import { hashOf } from '../platform/ids.ts'
import { providerFlows } from './schema.ts'
import { columns, first, run } from '../sql/statement.ts'

type Flow = typeof providerFlows.$inferSelect
type Secrets = { state: string; secret: string }
type NewFlow = Secrets & Omit<Flow, 'stateHash' | 'secretHash'>

export async function add(db: Db, { state, secret, ...flow }: NewFlow) {
  await db
    .insert(providerFlows)
    .values({ ...flow, stateHash: hashOf(state), secretHash: hashOf(secret) })
}

/** Returns the flow and deletes it. Only the browser that began it has the secret. */
export async function consume(db: Db, { state, secret }: Secrets, provider: string) {
  return first<Flow>(db, 'provider_flow_consume')`
    delete from provider_flows
    where state_hash = ${hashOf(state)} and secret_hash = ${hashOf(secret)} and provider = ${provider}
    returning ${columns(providerFlows)}`
}

export function removeExpired(db: Db, now: Date) {
  return run(db, 'provider_flows_remove_expired')`
    delete from provider_flows where expires_at < ${now}`
}
