import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { superuser } from '../server/postgres/cluster.ts'

// Tests read int8 as a number, as the server does in server/sql/database.ts.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Makes a database, with all tables unless it is to be empty, and removes it after the test or when
 * `remove` is called.
 */
export async function aDatabase({ isEmpty = false } = {}) {
  const server = inject('postgres')
  const database = newName('test')
  const template = isEmpty ? 'template0' : inject('template')
  await inMaintenance(
    `create database ${database} owner ${server.user} template ${template} strategy file_copy`,
  )
  const connection = { ...server, database }
  const pool = aPool(connection)
  let removed: Promise<void> | undefined
  const remove = () =>
    (removed ??= pool.end().then(() => inMaintenance(`drop database ${database} with (force)`)))
  onTestFinished(remove)
  const url = `postgres://${server.user}@localhost:${server.port}/${database}?host=${encodeURIComponent(server.host)}&ssl=0`
  return { pool, connection, url, remove }
}

/** Makes a role that owns nothing. Ask for it before the database in which it gets rights. */
export async function aRole() {
  const role = newName('role')
  await inMaintenance(`create role ${role} login`)
  onTestFinished(() => inMaintenance(`drop role ${role}`))
  return role
}

/** Runs the SQL of the page about rights, as its readers would. */
export async function grantRights(connection: pg.PoolConfig, role: string) {
  const page = await readFile(new URL('../docs/rights.md', import.meta.url), 'utf8')
  const [, statement] = /```sql\n(.*)```/s.exec(page)!
  const pool = aPool(connection)
  try {
    await pool.query(statement!.replace('app_web', role))
  } finally {
    await pool.end()
  }
}

function newName(kind: string) {
  return `${kind}_${randomUUID().replaceAll('-', '')}`
}

/** Runs a statement in a transaction, whose locks others wait for until the result is called. */
export async function hold(pool: pg.Pool, statement: string) {
  const client = await pool.connect()
  await client.query(`begin; ${statement}`)
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

/** Keeps every server from telling notices of changes until the result is called. */
export function holdNotices(pool: pg.Pool) {
  return hold(pool, `select pg_advisory_xact_lock(hashtext('atrium outbox'))`)
}

const waiting = `from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query ~* $1`

/** Waits until other sessions wait for a lock, with a query that matches. */
export async function untilSomebodyWaits(pool: pg.Pool, query = '', count = 1) {
  while ((await pool.query(`select ${waiting}`, [query])).rowCount! < count) await delay(10)
}

/** Ends the connections of the sessions that wait for a lock, with a query that matches. */
export async function breakWaiting(pool: pg.Pool, query = '') {
  await pool.query(`select pg_terminate_backend(pid) ${waiting}`, [query])
}

let maintenance: pg.Pool | undefined

async function inMaintenance(statement: string) {
  maintenance ??= aPool({ ...inject('postgres'), user: superuser, database: 'postgres' })
  await maintenance.query(statement)
}

function aPool(connection: pg.PoolConfig) {
  const pool = new pg.Pool(connection)
  pool.on('error', () => undefined)
  return pool
}
