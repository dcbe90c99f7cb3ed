import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Observer } from '../observe/observer.ts'
import { patience } from './patience.ts'
import { noticeLosses } from './lost-connections.ts'
import { Packet } from './packet.ts'
import { takeTurns } from './pool-turns.ts'
import { canJoin, queryOf, type Part } from './query-of.ts'

/** The pool, or one of its connections during a transaction. */
export type Db = NodePgDatabase & {
  $client: pg.Pool | pg.PoolClient
  /** The transaction of this connection. */
  running?: Transaction
}

type Transaction = {
  /** The answers that the commit waits for. */
  unanswered: Promise<unknown>[]
  /** A change that is not sent yet, and entries of logs that leave with it. */
  held: Change[]
}

/** `log` is the table of an entry that the same transaction doesn't read. */
type Change = Part & { log: string | undefined }

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
 * The answers to jobs may take long, as they work through more than calls. The watch should have a
 * new connection soon when the network has lost its own.
 */
const patienceOf = {
  calls: patience,
  jobs: { connecting: 3000, answering: 15_000 },
  watch: { connecting: 750, answering: 2500 },
}

/**
 * A transaction waits for nothing but the database, so one that is idle for so many milliseconds
 * belongs to a server that is frozen or cut off.
 */
const idle_in_transaction_session_timeout = 10_000

/** A pooler would refuse connections that ask for these. */
export const sessionLimits = { statement_timeout: 30_000, idle_in_transaction_session_timeout }

const limitIdleTime = `set local idle_in_transaction_session_timeout = ${idle_in_transaction_session_timeout}`

/** Connections to a pooler. */
const pooled = new WeakSet<pg.PoolClient>()

/** Connections to a pooler that does not know prepared statements. */
const unnaming = new WeakSet<pg.PoolClient>()

type PoolOptions = {
  work?: keyof typeof settings
  /** Set if each transaction may get another connection to PostgreSQL. */
  pooler?: { named: boolean } | undefined
  /** Sees the statements of transactions and of the store. */
  observer?: Observer | undefined
  /** How many may wait for a connection. If set, callers take turns. */
  places?: number
}

/** What sees the statements of a connection. */
const watching = new WeakMap<pg.PoolClient, Observer['watch']>()

/** Logs a broken connection. The pool replaces it when a query needs one. */
export function openPool(
  connection: pg.PoolConfig,
  log: Logger,
  { work = 'calls', pooler, observer, places }: PoolOptions = {},
) {
  const { connecting, answering } = patienceOf[work]
  const pool = new pg.Pool({
    connectionTimeoutMillis: connecting,
    keepAlive: true,
    ...(!pooler && sessionLimits),
    // A transaction sends several statements at once: see docs/decisions/013-few-round-trips.md.
    pipeline: true,
    ...connection,
  })
  noticeLosses(pool, answering, log)
  if (places !== undefined) takeTurns(pool, places)
  pool.on('connect', (client) => {
    if (pooler) pooled.add(client)
    if (pooler && !pooler.named) unnaming.add(client)
    if (observer) watching.set(client, observer.watch)
    // Behind a pooler, other people's transactions would get the settings.
    for (const setting of pooler ? [] : settings[work])
      client.query(`set ${setting}`).catch(() => undefined)
  })
  return pool
}

export function openDatabase(on: pg.Pool | pg.Client): Db {
  return drizzle(on as pg.Pool)
}

/** Each connection keeps its handle, because making one takes longer than a query. */
const handles = new WeakMap<pg.PoolClient, Db>()

function handleOf(client: pg.PoolClient): Db {
  const known = handles.get(client)
  if (known) return known
  const isUnnamed = unnaming.has(client)
  let packet: Packet | undefined
  const leave = () => {
    client.query(packet!)
    packet = undefined
  }
  // Every query, Drizzle's included, first sends the change that is held. Those of one moment, which
  // ends when all code that can run now has run, leave in one packet.
  const send = (config: pg.QueryConfig, values = config.values) => {
    sendHeld(handle)
    if (!packet) process.nextTick(leave)
    packet ??= new Packet({ isInTransaction: handle.running !== undefined })
    return packet.add(isUnnamed ? { ...config, name: undefined } : config, values)
  }
  const watch = watching.get(client)
  const query: typeof send = watch
    ? (config, values) =>
        watch({ kind: 'statement', name: nameOf(config) }, () => send(config, values))
    : send
  const handle: Db = drizzle(Object.create(client, { query: { value: query } }))
  handles.set(client, handle)
  return handle
}

/** A statement that is not prepared is known by its first word. */
function nameOf({ name, text }: pg.QueryConfig) {
  return name ?? /\w+/.exec(text)?.[0] ?? 'statement'
}

/**
 * Runs `work` in one transaction. A write that `work` sends without waiting for its answer, and
 * that fails, makes the transaction fail with the write's error.
 */
export async function inTransaction<Answer>(
  pool: pg.Pool,
  work: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  return onOneConnection(pool, async (db, client) => {
    const { unanswered, held }: Transaction = (db.running = { unanswered: [], held: [] })
    try {
      sendNow(db, { name: 'begin', text: 'begin' })
      if (pooled.has(client)) sendNow(db, { text: limitIdleTime })
      const answer = await work(db)
      sendNow(db, { name: 'commit', text: 'commit' })
      await Promise.all(unanswered)
      return answer
    } catch (error) {
      held.length = 0
      const answers = await Promise.allSettled(unanswered)
      await client.query('rollback').catch(() => undefined)
      const failed = answers.find((answer) => isFirstFailure(answer))
      throw failed ? (failed as PromiseRejectedResult).reason : error
    } finally {
      delete db.running
    }
  })
}

function isReadOnly(error: unknown) {
  return (((error as Error).cause ?? error) as { code?: string }).code === readOnly
}

/** Whether a statement itself failed. PostgreSQL refuses all that follows it in a transaction. */
function isFirstFailure(answer: PromiseSettledResult<unknown>) {
  return answer.status === 'rejected' && (answer.reason as { code?: string }).code !== '25P02'
}

/** Asks the database. What a transaction asks at one moment leaves in one packet. */
export async function query<Row extends pg.QueryResultRow>(
  db: Db,
  config: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const { $client } = db
  if ($client instanceof pg.Pool) return onOneConnection($client, (on) => query<Row>(on, config))
  return $client.query<Row>(config)
}

/** Keeps one connection for `ask`: questions that it asks at once share a round trip. */
export async function onOneConnection<Answer>(
  pool: pg.Pool,
  ask: (db: Db, client: pg.PoolClient) => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect()
  let leadsNowhere = false
  try {
    return await ask(handleOf(client), client)
  } catch (error) {
    // After a failover, another connection may lead to the database that can be written to.
    leadsNowhere = isReadOnly(error)
    throw error
  } finally {
    client.release(leadsNowhere)
  }
}

/**
 * Sends a change of a transaction, whose commit waits for the answer. A change of rows leaves
 * together with the entries of logs that follow it, before anything else is sent.
 */
export function send(db: Db, change: Change) {
  const { held } = db.running!
  const joins = change.log && held.length > 0 && held.every(({ log }) => log !== change.log)
  if (!joins) sendHeld(db)
  held.push(change)
  if (!canJoin(change)) sendHeld(db)
}

function sendHeld(db: Db) {
  const held = db.running?.held.splice(0) ?? []
  if (held.length > 0) sendNow(db, queryOf(held))
}

function sendNow(db: Db, query: pg.QueryConfig) {
  const answer = db.$client.query(query)
  // `inTransaction` throws the error.
  answer.catch(() => undefined)
  db.running!.unanswered.push(answer)
}
