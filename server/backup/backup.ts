import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type pg from 'pg'
import type { Logger } from 'pino'
import { onOwnConnection } from '../store/change-schema.ts'
import { standard, writeFile, writeToStandardOutput } from './backup-file.ts'
import { inPlainWords } from './plain-words.ts'
import { openProgress } from './progress.ts'
import { sealed } from './seal.ts'
import { openSnapshot, textOf } from './write-backup.ts'

type Options = { connection: pg.PoolConfig; log: Logger; signal: AbortSignal }

/** Reading goes on while this compresses. More effort takes twice as long for three percent. */
const gzip = { level: 3, chunkSize: 256 * 1024, strategy: constants.Z_DEFAULT_STRATEGY }

/** Writes what the database has at one moment into a new file. Returns what the file is. */
export async function backUp(file: string, { connection, log, signal }: Options) {
  return onOwnConnection(connection, log, async (client) => {
    const progress = openProgress('Backup')
    const rows: Record<string, number> = {}
    const snapshot = await openSnapshot(client)
    let path = ''
    await pipeline(
      textOf(client, snapshot, { rows, progress }),
      createGzip(gzip),
      sealed,
      async (bytes: AsyncIterable<Buffer>) => {
        if (file === standard) await writeToStandardOutput(bytes)
        else path = await writeFile(file, bytes)
      },
      { signal },
    ).finally(() => progress.end())
    return { path, snapshot, rows }
  }).catch((error: unknown) => {
    throw inPlainWords(error, 'No file is kept.')
  })
}
