import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { onOwnConnection } from '../../server/migrate/change-schema.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { standard, writeFile, writeToStandardOutput } from '../backup/backup-file.ts'
import type { Rows } from '../backup/format.ts'
import { inWords } from '../backup/in-words.ts'
import { inPlainWords } from '../backup/plain-words.ts'
import { openProgress } from '../backup/progress.ts'
import { sealed } from '../backup/seal.ts'
import { openSnapshot, textOf } from '../backup/write-backup.ts'
import { argumentsOf, runOn, type Place } from './run-tool.ts'

/** More effort takes twice as long for three percent. */
const effort = { level: 3, chunkSize: 256 * 1024 }

/**
 * Writes what the database has at one moment into a new file. Returns the text to print, which does
 * not go into the file.
 */
export async function backup(
  { connection, log, series }: Place,
  file: string,
  stopped: AbortSignal = new AbortController().signal,
) {
  return onOwnConnection(connection, log, async (client) => {
    // A statement that waits for the database then fails.
    stopped.addEventListener('abort', () => void client.end())
    const snapshot = await openSnapshot(client, series)
    const progress = openProgress('Backup')
    const rows: Rows = {}
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
    return file === standard ? undefined : `Wrote ${path}: ${inWords(snapshot, rows)}`
  }).catch((error: unknown) => {
    if (stopped.aborted) throw new StartError('Stopped. No file is kept.')
    throw inPlainWords(error, 'No file is kept.')
  })
}

if (import.meta.main) {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stopping.abort())
  await runOn(argumentsOf('backup'), (place, { words: [file] }) =>
    backup(place, file!, stopping.signal),
  )
}
