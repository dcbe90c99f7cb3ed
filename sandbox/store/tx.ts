import type { Pool, QueryResult, QueryResultRow } from 'pg'
import type { Merchant } from '../objects/account.ts'
import type { Asked } from '../objects/event.ts'

export type Runner = {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>
}

/** A transaction, or the pool for reads, with the sandbox's time in seconds at its start. */
export type Tx = Runner & { now: number; merchant: Merchant; request: Asked }

export type Log = { info(o: object, m: string): void; error(o: object, m: string): void }

export type FramedBy = "'none'" | "'self'" | '*'

export type World = {
  pool: Pool
  merchant: Merchant
  /** The source in a content security policy that may frame the 3-D Secure page. */
  framedBy: FramedBy
  /** The sandbox calls this after each transaction, because it may have recorded events. */
  committed: () => void
  /** Waits until the receiver has done what webhooks caused, and what it was about to do. */
  settle: (now: number) => Promise<void>
  nextAlarm: () => Promise<number | undefined>
  log: Log
}

export const noRequest: Asked = { id: null, idempotency_key: null }

export async function reading(world: World, request: Asked): Promise<Tx> {
  return txOf(world, world.pool, await sandboxTime(world.pool), request)
}

/** Runs the work in a transaction. `at` is the sandbox's time of the work, by default now. */
export async function inTransaction<T>(
  world: World,
  request: Asked,
  work: (tx: Tx) => Promise<T>,
  at?: number,
): Promise<T> {
  const client = await world.pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(txOf(world, client, at ?? (await sandboxTime(client)), request))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failed: Error) => (broken = failed))
    throw error
  } finally {
    client.release(broken)
    world.committed()
  }
}

export async function sandboxTime(runner: Runner): Promise<number> {
  const { rows } = await runner.query<{ now: string }>(
    'select floor(extract(epoch from clock_timestamp()))::bigint + clock_offset as now from sandbox.settings',
  )
  return Number(rows[0]?.now)
}

/** Moves the sandbox's time forward to `to`, in seconds. Does nothing if it is later already. */
export async function clockTo(runner: Runner, to: number) {
  await runner.query(
    'update sandbox.settings set clock_offset = greatest(clock_offset, $1::bigint - floor(extract(epoch from clock_timestamp()))::bigint)',
    [to],
  )
}

/** Moves the sandbox's time back by `seconds`, and returns the new time. */
export async function clockBack(runner: Runner, seconds: number) {
  await runner.query('update sandbox.settings set clock_offset = clock_offset - $1', [seconds])
  return sandboxTime(runner)
}

function txOf(world: World, runner: Runner, now: number, request: Asked): Tx {
  return {
    query: (text, values) => runner.query(text, values),
    now,
    merchant: world.merchant,
    request,
  }
}
