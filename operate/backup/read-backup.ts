import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StartError } from '../../server/platform/start-error.ts'
import {
  includes,
  labelOf,
  readMigrations,
  type Migration,
} from '../../server/migrate/migration-files.ts'
import { core, listSeries } from '../../server/migrate/series.ts'
import { readFile, standard } from './backup-file.ts'
import { readHeader, type Header } from './format.ts'
import { Damaged, unsealed } from './seal.ts'
import { openTextReader } from './text-reader.ts'

export type Backup = Awaited<ReturnType<typeof openBackup>>

/** Opens a backup of this version or a former one. The reader throws `Damaged` at the end at the latest. */
export async function openBackup(file: string, series = listSeries()) {
  const text = createGunzip({ chunkSize: 256 * 1024 })
  // An error of either comes out where the text is read.
  pipeline(unsealed(readFile(file)), text, () => undefined)
  const reader = openTextReader(text)
  const known = await readMigrations(series)
  const header = withApplied(readHeader(await reader.line(), file), known)
  return { header, known, reader, close: () => text.destroy() }
}

/** Reads the whole file, so that nothing is begun with one that is cut or damaged. */
export async function checkBackup(file: string) {
  // What comes from another program can be read only once.
  if (file === standard) return
  try {
    for await (const _ of unsealed(readFile(file)));
    const { close } = await openBackup(file)
    close()
  } catch (error) {
    throw namingDamage(error, file)
  }
}

/** Names what zlib, JSON and the seal find, which all mean the same. */
export function namingDamage(error: unknown, file: string) {
  const isZlib = (error as NodeJS.ErrnoException).code?.startsWith('Z_')
  if (!isZlib && !(error instanceof Damaged) && !(error instanceof SyntaxError)) return error
  return new StartError(
    `${file === standard ? 'Standard input' : file} is not a whole backup: some of it is missing or damaged. Nothing was restored; use another one.`,
  )
}

/** Backups before 0024 name the newest migration alone. */
function withApplied(header: Header, known: Migration[]) {
  const { migration, product } = header
  const ofCore = known.filter(({ series }) => series === core)
  if (migration.when < ofCore[0]!.when)
    throw new StartError(
      'The backup is older than version 1.0.0. Restore it with 1.0.0, and make a new one.',
    )
  const before = ofCore.filter(({ when }) => when < migration.when)
  const applied = header.applied ?? [...before, { series: core, name: migration.name }]
  const isHere = ({ series }: { series: string }) => known.some((one) => one.series === series)
  const unknown = applied.find((one) => isHere(one) && !includes(known, one))
  if (unknown)
    throw new StartError(
      `The backup has tables as of the migration ${labelOf(unknown)}, which this version does not know. Restore it with version ${product}, which made it, or a newer one.`,
    )
  return { ...header, applied }
}
