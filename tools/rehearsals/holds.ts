import { billingLimits } from '../../config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Look } from './postgres.ts'

type Held = { what: string; key: string; since: number }
export type Hold = { ms: number; since: number }

/** Milliseconds between two looks. */
const rhythm = 200

/**
 * What somebody holds, and since when, in milliseconds since 1970: a job that a server has taken, a
 * subscription's billing, an idempotency key without an answer.
 */
const holds = `
  select 'job' what, id || ' ' || extract(epoch from taken_at) key, extract(epoch from taken_at)::float8 * 1000 since
  from jobs where taken_at is not null
  union all
  select 'billing lease', id, extract(epoch from billing_lease_until)::float8 * 1000 - ${billingLimits.lease}
  from subscriptions where billing_lease_until > now()
  union all
  select 'idempotency key', key, extract(epoch from created_at)::float8 * 1000 from idempotency_keys where answer is null`

export type Holds = ReturnType<typeof watchHolds>

/** Looks again and again what is held, until `stop` returns the longest hold of each kind. */
export function watchHolds(look: Look) {
  const longest = new Map<string, Hold>()
  const firstSeen = new Map<string, number>()
  let stopped = false
  /** Nothing can be freed while the database is in trouble, so that time does not count. */
  let countsFrom = -Infinity
  const watching = (async () => {
    for (; !stopped; await delay(rhythm)) {
      const rows = await look<Held>(holds).catch(() => undefined)
      if (rows) note(rows)
    }
  })()

  function note(rows: Held[]) {
    const keys = new Set(rows.map(({ what, key }) => `${what} ${key}`))
    for (const key of firstSeen.keys()) if (!keys.has(key)) firstSeen.delete(key)
    for (const { what, key, since: told } of rows) {
      const id = `${what} ${key}`
      // A lease that is renewed tells only when it was renewed.
      const since = Math.min(firstSeen.get(id) ?? Infinity, told)
      firstSeen.set(id, since)
      const ms = Date.now() - Math.max(since, countsFrom)
      if (ms > (longest.get(what)?.ms ?? 0)) longest.set(what, { ms, since })
    }
  }

  return {
    beginTrouble: () => void (countsFrom = Infinity),
    endTrouble: () => void (countsFrom = Date.now()),
    async stop() {
      stopped = true
      await watching
      return longest
    },
  }
}
