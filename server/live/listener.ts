import type pg from 'pg'
import type { Logger } from 'pino'
import { keepConnection } from '../platform/kept-connection.ts'
import { readFact, type Fact } from './fact.ts'

type Options = {
  connection: pg.PoolConfig
  log: Logger
  onFact: (fact: Fact) => void
  /** It listens again after it didn't for a while: whatever was told meanwhile is lost. */
  onGap: () => Promise<void>
}

/** The one connection of this server that hears what the database tells. */
export async function openListener({ connection, log, onFact, onGap }: Options) {
  return keepConnection({
    connection,
    name: 'atrium live',
    log,
    async prepare(client) {
      client.on('notification', ({ payload = '' }) => {
        const fact = readFact(payload)
        if (fact) onFact(fact)
      })
      await client.query('listen live')
    },
    onLost: () =>
      log.warn('live updates are interrupted: there is no connection that listens to the database'),
    async onBack() {
      await onGap()
      log.info('live updates go on')
    },
  })
}
