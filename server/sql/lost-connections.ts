import type { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'

// The database may stop, and a network may lose connections without a word. Only silence shows that.

type Watched = {
  clients: Set<pg.PoolClient>
  /** Milliseconds that an answer may take. */
  answering: number
  lostAt: number
}

const watched = new WeakMap<pg.Pool, Watched>()

const silence = 'Connection terminated after silence'

/** Milliseconds that an answer may still take once other connections are silent, too. */
const soon = 500

/** Breaks connections on which an answer takes too long, and notes when one was lost. */
export function noticeLosses(pool: pg.Pool, answering: number, log: Logger) {
  const clients = new Set<pg.PoolClient>()
  const state = { clients, answering, lostAt: -Infinity }
  watched.set(pool, state)
  pool.on('error', (err) =>
    log.warn({ reason: err.message }, 'an idle database connection was lost'),
  )
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', (err) => {
      state.lostAt = performance.now()
      log.debug({ reason: err.message }, 'a database connection was lost')
    })
    const stream = streamOf(client)
    stream.setTimeout(answering)
    stream.on('timeout', () => void (isAsked(client) && stream.destroy(new Error(silence))))
  })
  pool.on('remove', (client) => clients.delete(client))
}

/** Milliseconds since a connection of the pool was lost. */
export function sinceLoss(pool: pg.Pool) {
  return performance.now() - (watched.get(pool)?.lostAt ?? -Infinity)
}

/** Whether a question failed because no answer came, and not because the database refused it. */
export function isNoAnswer({ message }: Error) {
  return message === silence || /^timeout exceeded|due to connection timeout$/.test(message)
}

/** Replaces connections that may be lost: those that are idle, and those that do not answer soon. */
export async function distrust(pools: pg.Pool[]) {
  for (const pool of pools) {
    const { clients, answering } = watched.get(pool)!
    for (const client of clients) if (isAsked(client)) hurry(streamOf(client), answering)
  }
  await endIdle(pools)
}

function hurry(stream: Socket, answering: number) {
  stream.setTimeout(soon)
  stream.once('data', () => stream.setTimeout(answering))
}

export async function endIdle(pools: pg.Pool[]) {
  const idle = pools.flatMap((pool) => Array.from({ length: pool.idleCount }, () => pool))
  for (const pool of idle) (await pool.connect()).release(true)
}

function isAsked(client: pg.PoolClient) {
  return !(client as { readyForQuery?: boolean }).readyForQuery
}

function streamOf(client: pg.PoolClient) {
  return client.connection.stream as Socket
}
