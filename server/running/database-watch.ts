import { engineLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

const { pause, patience } = engineLimits.database

type Pools = {
  /** Of one connection, so that no call keeps the questions waiting. */
  own: pg.Pool
  /** The pools that calls and jobs use. */
  others: pg.Pool[]
}

type Options = Pools & {
  log: Logger
  /** Refuses the calls that have been in progress for so many milliseconds. */
  refuse: (atLeast: number) => void
}

/** Why the database can't be used. `isSilent`: it gives no answer, not even to what only reads. */
type Trouble = { reason: string; isSilent: boolean }

/** Asks the database several times a second whether it can be used. */
export function watchDatabase({ log, refuse, ...pools }: Options) {
  const stopped = new AbortController()
  let trouble: Trouble | undefined
  const watched = watch()

  async function watch() {
    while (!stopped.signal.aborted) {
      await look()
      await delay(pause, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  async function look() {
    const before = trouble
    trouble = await findTrouble(pools)
    if (trouble && !before) log.error({ reason: trouble.reason }, 'the database can not be used')
    if (trouble) return refuse(patience)
    if (!before) return
    log.info('the database can be used again')
    // Connections of before may lead nowhere, or go on to read only.
    for (const pool of pools.others) endIdle(pool)
  }

  return {
    isReady: () => trouble === undefined,
    /** True while calls would only wait: refuse them at once. */
    isSilent: () => trouble?.isSilent ?? false,
    async stop() {
      stopped.abort()
      await watched
    },
  }
}

/** A full disk shows only when something is written. The count needs a file of nine blocks. */
const question = `
  set local work_mem = '64kB';
  select count(*) from generate_series(1, 5000);
  select pg_is_in_recovery() or current_setting('transaction_read_only')::bool reads`

async function findTrouble({ own, others }: Pools): Promise<Trouble | undefined> {
  let isFine = false
  let client: pg.PoolClient | undefined
  try {
    client = await own.connect()
    const answers = (await client.query(question)) as unknown as pg.QueryResult<{
      reads: boolean
    }>[]
    if (answers.at(-1)!.rows[0]!.reads) return { reason: 'it is read-only', isSilent: false }
    // Calls can't get a connection if other programs have them all.
    for (const pool of others) if (pool.totalCount === 0) await pool.query('select 1')
    isFine = true
    return undefined
  } catch (error) {
    const { message: reason } = error as Error
    return { reason, isSilent: !(error instanceof pg.DatabaseError) }
  } finally {
    // Another connection may lead to the database that has taken over.
    client?.release(!isFine)
  }
}

function endIdle(pool: pg.Pool) {
  for (let idle = pool.idleCount; idle > 0; idle--)
    pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    )
}
