import type { Logger } from 'pino'

type Running = {
  /** Resolves with the reason why the process can't go on. */
  lost: Promise<string>
  /** `isAsked`: the process could go on. */
  stop: (why: { isAsked: boolean }) => Promise<void>
  log: Logger
}

/** Stops and exits once: on a signal, when the parent process is gone, or when `lost` resolves. */
export async function runUntilAsked({ lost, stop, log }: Running) {
  let stopping = false
  const end = async (reason: string, code = 0) => {
    if (stopping) return
    stopping = true
    log.info({ reason }, 'stopping')
    await stop({ isAsked: code === 0 })
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
