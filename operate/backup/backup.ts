import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../../server/platform/start-error.ts'
import { onOwnConnection } from '../../server/migrate/change-schema.ts'
import type { Series } from '../../server/migrate/series.ts'
import { standard, writeFile, writeToStandardOutput } from './backup-file.ts'
import { inPlainWords } from './plain-words.ts'
import { openProgress } from './progress.ts'
import { sealed } from './seal.ts'
import { openSnapshot, textOf } from './write-backup.ts'

type Options = {
  connection: pg.PoolConfig
  log: Logger
  stopped: AbortSignal
  series?: Series[]
}

/** More effort takes twice as long for three percent. */
const effort = { level: 3, chunkSize: 256 * 1024 }

/** Writes what the database has at one moment into a new file. Returns what the file is. */
export async function backUp(file: string, { connection, log, stopped, series }: Options) {
  return onOwnConnection(connection, log, async (client) => {
    // A statement that waits for the database then fails.
    stopped.addEventListener('abort', () => void client.end())
    const snapshot = await openSnapshot(client, series)
    const progress = openProgress('Backup')
    const rows: Record<string, number> = {}
    let path = file
    await pipeline(
      textOf(client, snapshot, { rows, progress }),
      createGzip(effort),
      sealed,
      async (bytes: AsyncIterable<Buffer>) => {
        if (file === standard) await writeToStandardOutput(bytes)
        else path = await writeFile(file, bytes)
      },
    ).finally(() => progress.end())
    return { path, snapshot, rows }
  }).catch((error: unknown) => {
    if (stopped.aborted) throw new StartError('Stopped. No file is kept.')
    throw inPlainWords(error, 'No file is kept.')
  })
}
