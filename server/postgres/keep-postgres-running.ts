import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'

type Running = { ended: Promise<unknown>; reason: () => Promise<string> }

type Options = {
  log: Logger
  /** PostgreSQL has to end once `stopped` is aborted. */
  start: (stopped: AbortSignal) => Promise<Running>
}

const { first, most, giveUpAfter } = limits.postgresRestart

/** Starts PostgreSQL, and starts it again whenever it ends by itself. */
export async function keepPostgresRunning({ log, start }: Options) {
  const stopping = new AbortController()
  const stopped = stopping.signal
  /** Milliseconds before the next start. */
  let wait: number = first
  const ended = watch(await start(stopped))

  async function watch(started: Running) {
    for (let running = started; ;) {
      const began = performance.now()
      await running.ended
      // One that soon ends again each time is started less and less often.
      if (performance.now() - began > most) wait = first
      if (stopped.aborted) return 'PostgreSQL was stopped'
      const reason = await running.reason()
      log.error({ reason }, 'PostgreSQL has ended by itself, and is started again')
      try {
        running = await startAgain()
      } catch (error) {
        return `PostgreSQL has ended by itself and does not start again. ${(error as Error).message}`
      }
      log.info('PostgreSQL runs again')
    }
  }

  async function startAgain() {
    const giveUpAt = performance.now() + giveUpAfter
    for (;;) {
      await delay(wait, undefined, { signal: stopped })
      wait = Math.min(wait * 2, most)
      try {
        return await start(stopped)
      } catch (error) {
        if (performance.now() + wait > giveUpAt) throw error
      }
    }
  }

  return {
    /** Resolves with the reason when PostgreSQL has ended for good. */
    ended,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
