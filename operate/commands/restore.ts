import { createSchema as migrateSandbox } from '@local/sandbox/schema'
import { standard } from '../backup/backup-file.ts'
import { inWords } from '../backup/in-words.ts'
import { checkBackup } from '../backup/read-backup.ts'
import { restore as restoreInto } from '../backup/restore.ts'
import { onOwnConnection } from '../../server/migrate/change-schema.ts'
import { argumentsOf, runOn, type Place } from './run-tool.ts'

/** Puts a backup into an empty database. Returns the text to print. */
export async function restore(place: Place, file: string) {
  const { header, rows, foreign, lostMails } = await restoreInto(file, {
    ...place,
    makeSandbox: (connection, log) => onOwnConnection(connection, log, migrateSandbox),
  })
  return [
    `Restored ${file === standard ? 'a backup' : file}: ${inWords(header, rows)}`,
    ...foreign.map(({ name, module }) =>
      module === undefined
        ? `Left out: ${name}, which no migration makes.`
        : `Left out: ${name}, of the module ${module}, which is not here.`,
    ),
    ...(lostMails === undefined ? [] : [withoutKey(lostMails)]),
    'Start a server: it continues with the jobs that waited, and asks the payment provider what has changed since.',
  ].join('\n')
}

function withoutKey(lostMails: number) {
  const mails = lostMails === 1 ? '1 mail with a link' : `${lostMails} mails with links`
  return `The backup’s SECRET_KEY is not here, so these are lost: ${mails} that waited, and which browsers people have used: they get a mail about a new device when they sign in. From now on this database has the key of this environment.`
}

if (import.meta.main)
  await runOn(argumentsOf('restore'), (place, { words: [file] }) => restore(place, file!), {
    check: ({ words: [file] }) => checkBackup(file!),
    makesData: true,
  })
