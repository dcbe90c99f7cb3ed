import { backUp } from '../backup/backup.ts'
import { standard } from '../backup/backup-file.ts'
import { inWords } from '../backup/in-words.ts'
import { StartError } from '../platform/start-error.ts'
import { runOn, type Place } from './run-tool.ts'

/** Writes a backup into a new file. Returns the text to print, which does not go into the file. */
export async function backup(
  { connection, log }: Place,
  args: string[],
  stopped: AbortSignal = new AbortController().signal,
) {
  const [file, ...rest] = args
  if (!file || rest.length > 0) throw new StartError('Usage: npm run backup -- FILE')
  const { path, snapshot, rows } = await backUp(file, { connection, log, stopped })
  return file === standard ? undefined : `Wrote ${path}: ${inWords(snapshot, rows)}`
}

if (import.meta.main) {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stopping.abort())
  await runOn((place, args) => backup(place, args, stopping.signal))
}
