import { callbackify } from 'node:util'
import type pg from 'pg'
import { currentCaller } from '../platform/caller.ts'
import { openTurns } from '../platform/turns.ts'

/** How many of a pool's connections one caller may have at once. */
export function shareOf(connections: number) {
  return Math.ceil(connections / 3)
}

/**
 * Lets the callers of a pool take turns, each with a third of its connections at most. Its
 * `waitingCount` leaves out what waits only for other work of its own caller.
 */
export function takeTurns(pool: pg.Pool, places: number) {
  const { max, connectionTimeoutMillis: patience } = pool.options
  const turns = openTurns({ atOnce: max, each: shareOf(max), places, patience })
  /** Whose turn each connection serves. */
  const callers = new WeakMap<pg.PoolClient, string | undefined>()
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>

  async function connectInTurn() {
    const caller = currentCaller()
    const wait = turns.begin(caller)
    if (wait) await wait
    try {
      const client = await connect()
      callers.set(client, caller)
      return client
    } catch (error) {
      turns.end(caller)
      throw error
    }
  }

  const connectThen = callbackify(connectInTurn)
  pool.connect = ((done?: Parameters<typeof connectThen>[0]) =>
    done ? connectThen(done) : connectInTurn()) as pg.Pool['connect']
  pool.on('release', (_, client) => turns.end(callers.get(client)))
  Object.defineProperty(pool, 'waitingCount', { get: turns.countCrowd })
}
