import type pg from 'pg'

type Connected = Parameters<pg.Pool['connect']>[0]

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

function once<Given extends unknown[]>(work: (...given: Given) => void) {
  let isDone = false
  return (...given: Given) => {
    if (!isDone) work(...given)
    isDone = true
  }
}
