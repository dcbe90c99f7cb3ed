import { engineLimits, limits } from '#config/limits.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Observer } from './observe/observer.ts'
import type { Env } from './running/env.ts'
import { openPool } from './sql/database.ts'

type Ways = {
  connection: pg.PoolConfig
  /** Leads to PostgreSQL without a pooler. */
  direct: pg.PoolConfig
}

/** A server's connections to the database, by what they do. The operator may set other numbers. */
export function openPools(
  { role, pooler: asked, databasePool }: Env,
  { connection, direct }: Ways,
  log: Logger,
  observer: Observer | undefined,
) {
  // A worker's other work needs the way without a pooler, so it has no use for a second way.
  const [calling, pooler] = role === 'worker' ? [direct] : [connection, asked]
  const ofCalls = { pooler, places: limits.calls.places, observer }
  const calls = role === 'worker' ? 2 : (databasePool ?? limits.calls.connections)
  // Without a worker, only notices are told.
  const atOnce = role === 'web' ? 1 : (databasePool ?? engineLimits.jobs.atOnce)
  const pools = {
    calls: openPool({ ...calling, max: calls }, log, ofCalls),
    // Rate limits never wait for a connection that a call's transaction holds.
    rateLimits: openPool({ ...calling, max: 2 }, log, ofCalls),
    watch: openPool({ ...calling, max: 1 }, log, { work: 'watch', pooler }),
    // Jobs have connections of their own, so that people's calls never wait for theirs. One takes
    // them, and one tells notices.
    jobs: openPool({ ...direct, max: atOnce + 1 }, log, { work: 'jobs', observer }),
    // The sandbox has connections of its own, because it plays another company's machine.
    sandbox: openPool({ ...direct, max: 6, application_name: 'sandbox' }, log),
  }
  return {
    pools,
    /** How many jobs run at once. */
    atOnce,
    endPools: async () => Promise.all(Object.values(pools).map(async (pool) => pool.end())),
  }
}
