import type pg from 'pg'

type Release = Parameters<Parameters<pg.Pool['connect']>[0]>[2]
type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: Release) => void

/**
 * A pool for the job queue's library. If that stops while its `listen` has no answer yet, it
 * releases the connection twice, and nobody handles the error: the process would end.
 */
export function releasingOnce(pool: pg.Pool): pg.Pool {
  const connect = (then?: Connected) =>
    then
      ? pool.connect((error, client, release) => then(error, client, once(release)))
      : pool.connect()
  return Object.create(pool, { connect: { value: connect } }) as pg.Pool
}

/** A pool that gives no connection, because it ended or had none in time, gives no `release`. */
function once(release?: Release): Release | undefined {
  if (!release) return undefined
  let isDone = false
  return (destroy) => {
    if (!isDone) release(destroy)
    isDone = true
  }
}
