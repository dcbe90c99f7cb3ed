import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { newKey } from '../server/platform/secrets.ts'
import { readEnv } from '../server/running/env.ts'
import { openServer } from '../server/open-server.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { superuser } from '../server/postgres/cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string; ssl: false }
    template: string
  }
}

const template = 'template_of_tests'
const memory = '/dev/shm'

/** Starts one PostgreSQL for the whole run. Its data need not survive a power cut. */
export default async function setup(project: TestProject) {
  await removeLeftovers()
  const dataDir = await mkdtemp(join(await findPlace(), `tests-${process.pid}-`))
  await chmod(dataDir, 0o711)
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    autovacuum: 'off',
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'warn' }), settings })
  await makeTemplate(postgres.connection)
  const { host, port, user } = postgres.connection
  project.provide('postgres', { host, port, user, ssl: false })
  project.provide('maintenance', { host, port, user: superuser, database: 'postgres', ssl: false })
  project.provide('template', template)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Makes a database with all tables, so that a server on a copy of it starts at once. */
async function makeTemplate(connection: pg.PoolConfig) {
  const maintenance = new pg.Client({ ...connection, user: superuser })
  await maintenance.connect()
  await maintenance.query(`create database ${template} owner ${connection.user}`)
  await maintenance.end()
  const env = readEnv({
    STRIPE_WEBHOOK_SECRET: 'whsec_of_the_template',
    SECRET_KEY: newKey(),
  })
  const server = await openServer({
    env,
    connection: { ...connection, database: template },
    log: pino({ level: 'silent' }),
  })
  await server.stop()
  // Each copy becomes a separate installation with a separate account at the sandbox.
  const copied = new pg.Client({ ...connection, database: template })
  await copied.connect()
  await copied.query('truncate installation, sandbox.account')
  await copied.end()
}

/** Linux's folder in memory if it has room for the run's data, else the folder for such files. */
async function findPlace() {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 1e9 ? memory : tmpdir()
}

/** Removes the folders that killed runs left behind. */
async function removeLeftovers() {
  for (const place of [memory, tmpdir()])
    for (const name of await readdir(place).catch(() => [])) {
      const pid = Number(/^tests-(\d+)-/.exec(name)?.[1])
      if (pid && !isAlive(pid))
        await rm(join(place, name), { recursive: true, force: true }).catch(() => undefined)
    }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
