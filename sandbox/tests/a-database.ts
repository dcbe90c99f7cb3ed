import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The connection to a PostgreSQL on which tests create databases. The global setup sets it. */
    maintenance: { host: string; port: number; user: string; database: string; ssl: false }
  }
}

/** A pool on a new, empty database, which is dropped when the test has finished. */
export async function aPool() {
  const database = `sandbox_${randomUUID().replaceAll('-', '')}`
  await inMaintenance(`create database ${database}`)
  const pool = new pg.Pool({ ...inject('maintenance'), database })
  pool.on('error', () => undefined)
  onTestFinished(async () => {
    await pool.end()
    await inMaintenance(`drop database ${database} with (force)`)
  })
  return pool
}

/** Resolves when another connection waits for a lock that the test holds. Polls the database. */
export async function untilAnotherWaits(pool: pg.Pool) {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`
  while (!(await pool.query(waiting)).rowCount) await delay(10)
}

async function inMaintenance(statement: string) {
  const client = new pg.Client(inject('maintenance'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
