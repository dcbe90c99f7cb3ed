import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { readEnv } from '../server/env.ts'
import { openServer } from '../server/main.ts'
import { startEmbeddedPostgres } from '../server/store/embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: pg.PoolConfig
  }
}

export const template = 'template_of_the_tests'

/** One PostgreSQL for the whole run, with a database ready to be copied: a test has its own in a few milliseconds. */
export default async function setUp({ provide }: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-tests-'))
  const log = pino({ level: 'silent' })
  // Nothing here outlives the run, so nothing needs to reach the disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings })
  await query(postgres.connection, `create database ${template}`)
  const server = await openServer({ env: readEnv({}), connection: { ...postgres.connection, database: template }, log })
  await server.stop()
  provide('postgres', postgres.connection)
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function query(connection: pg.ClientConfig, sql: string) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(sql)
  await client.end()
}
