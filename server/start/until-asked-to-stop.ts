import type { Logger } from 'pino'

type Running = {
  /** Says why this process can't go on, if it comes to that. */
  lost: Promise<string>
  stop: () => Promise<void>
  log: Logger
}

/**
 * Ends this process when it is asked to, when the one that started it is gone, or when it can't go on; what it does by then is stopped in
 * good order, once.
 */
export async function runUntilAsked({ lost, stop, log }: Running) {
  let stopping = false
  const end = async (reason: string, code = 0) => {
    if (stopping) return
    stopping = true
    log.info({ reason }, 'stopping')
    await stop()
    process.exit(code)
  }
  void lost.then((reason) => {
    if (!stopping) log.fatal(reason)
    return end('it can not go on', 1)
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void end(signal))
  process.on('disconnect', () => void end('disconnect'))
  if (process.send && !process.connected) await end('disconnect')
}
