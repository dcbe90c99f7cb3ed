import { Socket } from 'node:net'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Logger } from 'pino'
import { unobserved, type Observer } from '../observe/observer.ts'
import { takeTurns } from './pool-turns.ts'

/** The pool, or one of its connections during a transaction. */
export type Db = NodePgDatabase & { $client: pg.Pool | pg.PoolClient }

// Reads `bigint` columns as numbers: ours are small enough, and `+` would join strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

// A plan that is made while a table is nearly empty stays in use while the table grows.
const always = ['enable_seqscan = off']

const settings = {
  watch: always,
  // Planning anew takes as long as the statement, or longer. A prepared statement is planned once
  // for each connection, and not for its values.
  calls: [...always, 'plan_cache_mode = force_generic_plan'],
  // A batch of jobs is the beginning of an index, but a long queue would be read and sorted whole.
  jobs: [...always, 'enable_bitmapscan = off'],
}

/** PostgreSQL's code of a write that it refuses because it only reads. */
export const readOnly = '25006'

/**
 * Milliseconds that connecting and an answer may take, before the driver gives the connection up.
 * The answers to jobs may take long, as they work through more than calls.
 */
const patienceOf = {
  calls: { connecting: 3000, answering: 4500 },
  jobs: { connecting: 3000, answering: 15_000 },
  watch: { connecting: 1250, answering: 1500 },
}

/**
 * A transaction waits for nothing but the database, so one that is idle for so many milliseconds
 * belongs to a server that is frozen or cut off.
 */
const idle_in_transaction_session_timeout = 10_000

/** Milliseconds: the pool closes what is idle for ten seconds. */
const longestIdle = 12_000

/** A pooler would refuse connections that ask for these. */
export const sessionLimits = { statement_timeout: 30_000, idle_in_transaction_session_timeout }

const limitIdleTime = `set local idle_in_transaction_session_timeout = ${idle_in_transaction_session_timeout}`

type PoolOptions = {
  work?: keyof typeof settings
  /** Set if each transaction may get another connection to PostgreSQL. */
  pooler?: { named: boolean } | undefined
  /** Sees the statements of transactions and of the store. */
  observer?: Observer | undefined
  /** How many may wait for a connection. If set, callers take turns. */
  places?: number
}

type Connection = {
  db: Db
  /** What begins a transaction. */
  begin: pg.QueryConfig
  /** False between transactions, and from the moment at which one fails. */
  isOpen: boolean
  /** What the first statement that failed has failed with. */
  failure: unknown
}

/** Each connection keeps its handle, because making one takes longer than a query. */
const connections = new WeakMap<pg.PoolClient, Connection>()

/** Each connection's, which ends it at once. */
const sockets = new WeakMap<pg.ClientBase, Socket>()

class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    sockets.set(this, socket)
  }
}

/** Logs a broken connection. The pool replaces it when a query needs one. */
export function openPool(
  connection: pg.PoolConfig,
  log: Logger,
  { work = 'calls', pooler, observer, places }: PoolOptions = {},
) {
  const { connecting, answering } = patienceOf[work]
  const pool = new pg.Pool({
    Client,
    connectionTimeoutMillis: connecting,
    // Calls and jobs ask by `askWithin`.
    ...(work === 'watch' && { query_timeout: answering }),
    keepAlive: true,
    ...(!pooler && sessionLimits),
    // What a transaction asks at once shares a round trip, and is answered in that order.
    pipeline: true,
    ...connection,
  })
  pool.on('error', (err) =>
    log.warn({ reason: err.message }, 'an idle database connection was lost'),
  )
  if (places !== undefined) takeTurns(pool, places)
  pool.on('connect', (client) => {
    client.on('error', (err) =>
      log.debug({ reason: err.message }, 'a database connection was lost'),
    )
    // What does not ask by `askWithin`, like a rollback, ends too. Idle connections close before.
    const socket = sockets.get(client)
    socket?.setTimeout(Math.max(answering, longestIdle), () => socket.destroy())
    openConnection(client, { work, pooler, observer })
    // Behind a pooler, other people's transactions would get the settings.
    for (const setting of pooler ? [] : settings[work])
      client.query(`set ${setting}`).catch(() => undefined)
  })
  return pool
}

export function openDatabase(on: pg.Pool | pg.Client): Db {
  return drizzle(on as pg.Pool)
}

function openConnection(
  client: pg.PoolClient,
  { work = 'calls', pooler, observer = unobserved }: PoolOptions = {},
): Connection {
  const { answering } = patienceOf[work]
  const isNaming = pooler?.named ?? true
  const query = async (asked: pg.QueryConfig, values = asked.values) => {
    if (!connection.isOpen) throw new Error('the transaction is over')
    const config = { ...asked, values, ...(!isNaming && { name: undefined }) }
    const ask = () => askWithin(answering, client, config)
    try {
      return await observer.watch({ kind: 'statement', name: nameOf(config) }, ask)
    } catch (error) {
      // The stack then leads to the code that asked.
      Error.captureStackTrace(error as Error)
      connection.failure ??= error
      throw error
    }
  }
  const connection: Connection = {
    db: drizzle(Object.create(client, { query: { value: query } }) as pg.PoolClient),
    begin: { text: pooler ? `begin; ${limitIdleTime}` : 'begin' },
    isOpen: false,
    failure: undefined,
  }
  connections.set(client, connection)
  return connection
}

/**
 * Asks with a callback and a timer of ours: the promises and the time limit of `pg` keep every answer
 * in memory until a full garbage collection, which makes a list take a third more time.
 */
function askWithin(answering: number, client: pg.PoolClient, config: pg.QueryConfig) {
  const socket = sockets.get(client)
  // What is asked at once leaves in one piece.
  if (socket && socket.writableCorked === 0) {
    socket.cork()
    process.nextTick(() => socket.uncork())
  }
  return new Promise<pg.QueryResult>((resolve, reject) => {
    const timer = setTimeout(() => socket?.destroy(), answering)
    client.query(config, (error, result) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve(result)
    })
  })
}

/** A statement that is not prepared is known by its first word. */
function nameOf({ name, text }: pg.QueryConfig) {
  return name ?? /\w+/.exec(text)?.[0] ?? 'statement'
}

/**
 * Runs `work` in one transaction. Statements that `work` asks at once, by `Promise.all`, leave
 * together and are answered in their order, so a question that follows a lock sees what is true
 * once the lock is held. Drizzle's own queries leave a moment later.
 */
export async function inTransaction<Answer>(
  pool: pg.Pool,
  work: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  return onOneConnection(pool, async (connection, client) => {
    const { db, begin } = connection
    try {
      const [, answer] = await Promise.all([query(db, begin), work(db)])
      await query(db, { text: 'commit' })
      return answer
    } catch (error) {
      // Other parts of a `Promise.all` may go on, and would change something without a transaction.
      connection.isOpen = false
      await client.query('rollback').catch(() => undefined)
      // PostgreSQL refuses all that follows a failed statement.
      throw (codeOf(error) !== undefined && connection.failure) || error
    }
  })
}

/** Asks the database. */
export async function query<Row extends pg.QueryResultRow>(
  db: Db,
  config: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const { $client } = db
  if ($client instanceof pg.Pool)
    return onOneConnection($client, ({ db }) => query<Row>(db, config))
  return $client.query<Row>(config)
}

async function onOneConnection<Answer>(
  pool: pg.Pool,
  work: (connection: Connection, client: pg.PoolClient) => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect()
  const connection = connections.get(client) ?? openConnection(client)
  let leadsNowhere = false
  Object.assign(connection, { isOpen: true, failure: undefined })
  try {
    return await work(connection, client)
  } catch (error) {
    // After a failover, another connection may lead to the database that can be written to.
    leadsNowhere = codeOf(error) === readOnly
    throw error
  } finally {
    connection.isOpen = false
    client.release(leadsNowhere)
  }
}

/** PostgreSQL's code of an error. Drizzle wraps those of its queries. */
function codeOf(error: unknown) {
  return (((error as Error).cause ?? error) as { code?: string }).code
}
