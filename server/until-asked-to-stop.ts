import type { Logger } from 'pino'

type Running = {
  /** Settles when PostgreSQL ends, asked to or not. */
  lost: Promise<unknown>
  stop: () => Promise<void>
  log: Logger
}

/** Ends this process when it is asked to, or when the one that started it is gone; what it does by then is stopped in good order, once. */
export async function runUntilAsked({ lost, stop, log }: Running) {
  let stopping = false
  void lost.then(() => {
    if (stopping) return
    log.fatal('PostgreSQL has ended by itself')
    process.exit(1)
  })
  const end = async (reason: string) => {
    if (stopping) return
    stopping = true
    log.info({ reason }, 'stopping')
    await stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(signal))
  process.on('disconnect', () => void end('disconnect'))
  if (process.send && !process.connected) await end('disconnect')
}
