import { limits } from '#config/limits.ts'
import { setImmediate as afterAnswers, setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { inTransaction, query, readOnly } from '../sql/database.ts'
import { distrust, endIdle, isNoAnswer } from '../sql/lost-connections.ts'

const { pause, unready, silent, patience } = limits.database

type Options = {
  /** Of one connection, so that no call keeps the questions waiting. */
  own: pg.Pool
  /** The pools that calls use, and the others. */
  calls: pg.Pool[]
  others: pg.Pool[]
  log: Logger
  /** Refuses the calls that have been in progress for so many milliseconds. */
  refuse: (atLeast?: number) => void
}

/** Asks the database several times a second whether it can be used. */
export function watchDatabase({ own, calls, others, log, refuse }: Options) {
  const stopped = new AbortController()
  /** Why it can't be used. */
  let trouble: string | undefined
  let isSilent = false
  /** Aborts when the database answers the questions that it has not answered yet. */
  let unanswered: AbortController | undefined
  const watched = watch()

  async function watch() {
    while (!stopped.signal.aborted) {
      await ask()
      await delay(pause, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  async function ask() {
    unanswered ??= beginWaiting()
    const found = await findTrouble(own, calls, trouble !== undefined)
    if (found === noAnswer || stopped.signal.aborted) return
    unanswered.abort()
    unanswered = undefined
    isSilent = false
    report(found)
    if (trouble !== undefined) refuse(patience)
  }

  function beginWaiting() {
    const answered = new AbortController()
    void unlessAnswered(unready, answered.signal, () => report('it does not answer'))
    void unlessAnswered(silent, answered.signal, () => {
      isSilent = true
      refuse()
      void distrust([...calls, ...others]).catch(() => undefined)
    })
    return answered
  }

  function report(found: string | undefined) {
    if (found !== undefined && trouble === undefined)
      log.error({ reason: found }, 'the database can not be used')
    if (found === undefined && trouble !== undefined) log.info('the database can be used again')
    trouble = found
  }

  return {
    isReady: () => trouble === undefined,
    /** True while calls would only wait: refuse them at once. */
    isSilent: () => isSilent,
    async stop() {
      stopped.abort()
      await watched
      unanswered?.abort()
    },
  }
}

async function unlessAnswered(time: number, answered: AbortSignal, then: () => void) {
  await delay(time, undefined, { signal: answered }).catch(() => undefined)
  // After a pause of this process, the answer may be there although the time is over.
  await afterAnswers()
  if (!answered.aborted) then()
}

const noAnswer = Symbol('no answer')

const readsOnly = `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool reads`

/** A full disk shows only when something is written. This needs a file of nine blocks. */
const needsDisk = 'select count(*) from generate_series(1, 5000)'

async function findTrouble(own: pg.Pool, calls: pg.Pool[], hasBeen: boolean) {
  try {
    await inTransaction(own, async (db) => {
      const [{ rows }] = await Promise.all([
        query<{ reads: boolean }>(db, { text: readsOnly }),
        query(db, { text: `set local work_mem = '64kB'` }),
        query(db, { text: needsDisk }),
      ])
      if (rows[0]!.reads) throw Object.assign(new Error('it is read-only'), { code: readOnly })
    })
    // Sessions that began in trouble may go on to read only.
    if (hasBeen) await endIdle(calls)
    // Calls can't get a connection if others have them all.
    for (const pool of calls) if (pool.totalCount === 0) await pool.query('select 1')
    return undefined
  } catch (error) {
    return isNoAnswer(error as Error) ? noAnswer : (error as Error).message
  }
}
