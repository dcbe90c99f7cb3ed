import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import type pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { rowsLine, type Rows } from '../operate/backup/format.ts'
import { sealed } from '../operate/backup/seal.ts'
import { backup } from '../operate/commands/backup.ts'
import { restore } from '../operate/commands/restore.ts'
import { readEnv } from '../server/running/env.ts'
import type { Series } from '../server/migrate/series.ts'
import { aDatabase } from './database.ts'
import { aWorld, openWorld, secretKey } from './world.ts'

const of = { env: readEnv({ SECRET_KEY: secretKey }), log: pino({ level: 'silent' }) }

export async function aFile() {
  const folder = await mkdtemp(join(tmpdir(), 'app-backup-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'a.sql.gz')
}

/** Both commands return what they print. */
export async function backUpTo(file: string, connection: pg.PoolConfig, series?: Series[]) {
  return (await backup({ ...of, connection, series }, file))!
}

export function restoreInto(
  connection: pg.PoolConfig,
  file: string,
  environment = { SECRET_KEY: secretKey },
  series?: Series[],
) {
  return restore({ ...of, env: readEnv(environment), connection, series }, file)
}

export async function aBackup(connection: pg.PoolConfig, series?: Series[]) {
  const file = await aFile()
  const said = await backUpTo(file, connection, series)
  return { file, said }
}

/** Restores into a database without tables. */
export async function aRestored(file: string, series?: Series[]) {
  const { connection, pool } = await aDatabase({ isEmpty: true })
  const said = await restoreInto(connection, file, undefined, series)
  return { said, pool, open: () => openWorld(connection) }
}

/** A backup with one person, and a database with nothing but what a server writes by itself. */
export async function aTarget() {
  const world = await aWorld()
  await world.signUp('ann')
  await world.untilWorkedOff()
  const { file } = await aBackup(world.connection)
  const { connection, pool } = await aDatabase()
  const present = `select name, value from installation union all select id, body::text from sandbox.objects
    union all select id, email from users order by 1, 2`
  const rows = async () => (await pool.query(present)).rows

  /** Changes the text of the backup. Returns the former text. */
  async function rewrite(change: (text: string) => string) {
    const text = await readText(file)
    expect(change(text)).not.toBe(text)
    await writeText(file, change(text))
    return text
  }
  return { file, into: () => restoreInto(connection, file), rewrite, rows }
}

/** The text of a backup, without its seal. */
export async function readText(file: string) {
  const text = gunzipSync(await readFile(file)).toString()
  return text.replace(/-- sha256 .*\n$/, '')
}

/** Writes a backup with this text, whose numbers of rows it makes right, and seals it. */
export async function writeText(file: string, text: string) {
  const rows: Rows = {}
  for (const [, schema, table, lines] of text.matchAll(
    /^COPY "(\w+)"\."(\w+)" .*\n([^]*?)^\\\.$/gm,
  ))
    rows[`${schema}.${table}`] = lines!.split('\n').length - 1
  await writeSealed(file, text.replace(/^-- rows .*$/m, rowsLine(rows)))
}

export async function writeSealed(file: string, text: string) {
  await writeFile(file, await buffer(sealed(Readable.from([gzipSync(text)]))))
}
