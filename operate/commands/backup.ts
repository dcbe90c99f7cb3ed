import { backUp } from '../backup/backup.ts'
import { standard } from '../backup/backup-file.ts'
import { inWords } from '../backup/in-words.ts'
import { argumentsOf, runOn, type Place } from './run-tool.ts'

/** Writes a backup into a new file. Returns the text to print, which does not go into the file. */
export async function backup(
  { connection, log, series }: Place,
  file: string,
  stopped: AbortSignal = new AbortController().signal,
) {
  const { path, snapshot, rows } = await backUp(file, { connection, log, stopped, series })
  return file === standard ? undefined : `Wrote ${path}: ${inWords(snapshot, rows)}`
}

if (import.meta.main) {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stopping.abort())
  await runOn(argumentsOf('backup'), (place, { words: [file] }) =>
    backup(place, file!, stopping.signal),
  )
}
