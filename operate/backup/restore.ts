import type pg from 'pg'
import type { Logger } from 'pino'
import { openJobs } from '../../server/core/jobs.ts'
import { changeKey } from '../../server/core/secret-key.ts'
import { openSecrets } from '../../server/platform/secrets.ts'
import type { Env } from '../../server/running/env.ts'
import { onOwnConnection } from '../../server/migrate/change-schema.ts'
import { inTransaction, openDatabase, openPool } from '../../server/sql/database.ts'
import { migrateDatabase } from '../../server/migrate/migrate.ts'
import type { Series } from '../../server/migrate/series.ts'
import * as queue from '../../server/store/queue.ts'
import { listSilent, takeOver } from '../../server/store/servers.ts'
import { openStore } from '../../server/store/store.ts'
import { quoted, type Table } from './format.ts'
import { load } from './load.ts'
import { inPlainWords } from './plain-words.ts'
import { openProgress } from './progress.ts'
import { namingDamage, openBackup, type Backup } from './read-backup.ts'
import { requireEmpty } from './require-empty.ts'

type Options = {
  connection: pg.PoolConfig
  env: Env
  log: Logger
  /** Makes the tables of the sandbox that are missing. */
  makeSandbox: (connection: pg.PoolConfig, log: Logger) => Promise<unknown>
  series?: Series[]
}

/** Puts a backup into an empty database, and brings its tables up to date. */
export async function restore(file: string, options: Options) {
  const { connection, log, series } = options
  const restored = await putRows(file, options).catch((error: unknown) => {
    throw inPlainWords(
      namingDamage(error, file),
      'Nothing was restored, and you can try again with the same database.',
    )
  })
  await migrateDatabase(connection, log, { series })
  const sealed = await endFormerServers(restored, options).catch((error: unknown) => {
    throw inPlainWords(error, 'Everything was restored all the same: start a server.')
  })
  return { ...restored, lostMails: sealed }
}

async function putRows(file: string, options: Options) {
  const { close, ...backup } = await openBackup(file, options.series)
  const { header } = backup
  const progress = openProgress('Restore')
  try {
    return await onOwnConnection(options.connection, options.log, async (client) => {
      await requireEmpty(client, backup)
      await makeTables(client, header, options)
      let hasNewKey = false
      // Gives the database the key of this place if the backup's is not here.
      const settle = async () =>
        void (hasNewKey = await changeKey(options.env, openStore(openDatabase(client))))
      const loaded = await load(client, { ...backup, progress, settle })
      const names = Object.keys(loaded.rows).map(quoted)
      await client.query(`analyze ${names.join(', ')}`)
      return { ...loaded, header, hasNewKey }
    })
  } finally {
    progress.end()
    close()
  }
}

/** Makes the tables as they were when the backup was made. */
async function makeTables(
  client: pg.Client,
  { applied, tables }: Backup['header'],
  { connection, log, makeSandbox, series }: Options,
) {
  await migrateDatabase(connection, log, { series, only: applied })
  await makeFormerQueue(client, tables)
  if (tables.some(({ name }) => name.startsWith('sandbox.'))) await makeSandbox(connection, log)
}

/** What `moveFormer` of server/store/queue.ts reads; it leaves the other columns alone. */
const formerTypes: Record<string, string> = {
  id: 'bigint',
  task_id: 'bigint',
  payload: 'json',
  attempts: 'int',
  max_attempts: 'int',
  run_at: 'timestamptz',
  created_at: 'timestamptz',
}

/** Makes the tables of the job queue of version 1.0.0, if the backup has them. */
export async function makeFormerQueue(client: pg.Client, tables: readonly Table[]) {
  const former = tables.filter(({ name }) => name.startsWith('graphile_worker.'))
  if (former.length > 0) await client.query('create schema if not exists graphile_worker')
  for (const { name, columns } of former) {
    const typed = columns.map((column) => `"${column}" ${formerTypes[column] ?? 'text'}`)
    await client.query(`create table if not exists ${quoted(name)} (${typed.join(', ')})`)
  }
}

/**
 * The servers of the time of the backup are dead here: frees what they held, as the next server would.
 * The first server then learns from the payment provider what has happened since. With a new key,
 * nobody can open the codes of waiting mails any more: returns how many mails are lost by that.
 */
async function endFormerServers(
  { hasNewKey }: { hasNewKey: boolean },
  { connection, log }: Options,
): Promise<number | undefined> {
  const pool = openPool(connection, log, { work: 'jobs' })
  try {
    return await inTransaction(pool, async (tx) => {
      // It adds no mail, so it has nothing to seal.
      const jobs = openJobs(tx, openSecrets([]))
      for (const id of await listSilent(tx, { asker: '' })) await takeOver(tx, id)
      await queue.moveFormer(tx)
      await tx.execute('drop schema if exists graphile_worker cascade')
      await jobs.add('reconcile', {}, { key: 'reconcile' })
      return hasNewKey ? queue.removeSealed(tx) : undefined
    })
  } finally {
    await pool.end()
  }
}
