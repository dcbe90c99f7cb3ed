import { backUp } from '../backup/backup.ts'
import { standard } from '../backup/backup-file.ts'
import { inWords } from '../backup/in-words.ts'
import { StartError } from '../platform/start-error.ts'
import { runOn, type Place } from './run-tool.ts'

/** Writes a backup into a new file. Returns the text to print, which does not go into the file. */
export async function backup({ connection, log }: Place, args: string[]) {
  const [file, ...rest] = args
  if (!file || rest.length > 0) throw new StartError('Usage: npm run backup -- FILE')
  const stopped = new AbortController()
  const stop = () => stopped.abort(new StartError('Stopped. No file is kept.'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop)
  const { path, snapshot, rows } = await backUp(file, { connection, log, signal: stopped.signal })
  return file === standard ? undefined : `Wrote ${path}: ${inWords(snapshot, rows)}`
}

if (import.meta.main) await runOn(backup)
