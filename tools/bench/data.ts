import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { migrateDatabase } from '../../server/migrate/migrate.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { serverRole, superuser } from '../../server/postgres/cluster.ts'
import { hashOf } from '../../server/platform/ids.ts'

const root = join(import.meta.dirname, '..', '..')
const dataDir = process.env['BENCH_DIR'] ?? join(root, 'node_modules', '.cache', 'bench')
const log = pino({ level: 'silent' })

/** Projects in each database. There are as many people, and ten people in each project. */
export const sizes = { small: 1_000, large: 1_000_000 } as const
export type Size = keyof typeof sizes

export function hasData() {
  return existsSync(join(dataDir, 'complete'))
}

export async function openCluster() {
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const { host, port, user } = postgres.connection
  const connectionOf = (database: string) => ({ ...postgres.connection, database })
  const urlOf = (size: Size) =>
    `postgres://${user}@localhost:${port}/bench_${size}?host=${encodeURIComponent(host!)}`
  return { ...postgres, connectionOf, urlOf }
}

/** The access token of a person. Only some people have one. */
export const tokenOf = (person: string | number) => `token-of-${person}`
export const projectOf = (person: number) => `project${person}`

/** Fills the databases once. This takes some minutes and some gigabytes. */
export async function generate() {
  const cluster = await openCluster()
  const admin = new pg.Client({ ...cluster.connectionOf('postgres'), user: superuser })
  await admin.connect()
  for (const [size, count] of Object.entries(sizes)) {
    const started = performance.now()
    await admin.query(`drop database if exists bench_${size} with (force)`)
    await admin.query(`create database bench_${size} owner ${serverRole}`)
    const connection = { ...cluster.connectionOf(`bench_${size}`), max: 1, statement_timeout: 0 }
    await migrateDatabase(connection, log)
    const pool = new pg.Pool({ ...connection, user: superuser })
    await fill(pool, count)
    await pool.end()
    console.log(
      `${size}: ${count} people and projects, ${10 * count} memberships, ${((performance.now() - started) / 1000).toFixed(0)} s`,
    )
  }
  await admin.end()
  await cluster.stop()
  writeFileSync(join(dataDir, 'complete'), '')
}

async function fill(pool: pg.Pool, count: number) {
  // `replica` skips foreign keys and triggers: the data is right, and no server listens.
  await pool.query('set session_replication_role = replica')
  await pool.query(
    `insert into users (id, email, email_verified, claimed, display_name, created_at, updated_at)
     select 'person' || n, 'person' || n || '@example.com', true, true, 'Person ' || n, now(), now() from generate_series(0, $1::int - 1) n`,
    [count],
  )
  await pool.query(
    `insert into subscriptions (id, owner_id, plan_id, status, settings, created_at)
     select 'project' || n, 'person' || n, 'pro', 'active', jsonb_build_object('name', 'Project ' || n), now() - n * interval '1 second'
     from generate_series(0, $1::int - 1) n`,
    [count],
  )
  await pool.query(
    `insert into members (subscription_id, user_id, permissions, created_at)
     select 'project' || n, 'person' || (n + k * 7919) % $1::int, case k when 0 then '{access,admin}'::text[] else '{access}' end, now()
     from generate_series(0, $1::int - 1) n, generate_series(0, 9) k on conflict do nothing`,
    [count],
  )
  await pool.query(
    `insert into invoices (id, subscription_id, number, created_at, total, currency, status)
     select 'in_' || n || '_' || k, 'project' || n, 'A-' || k, now() - k * interval '7 days', 1000, 'usd', 'paid'
     from generate_series(0, $1::int - 1) n, generate_series(1, 2) k`,
    [count],
  )
  await pool.query(
    `insert into activity (at, kind, subscription_id, actor_id, actor_name, details)
     select now(), 'settingsChanged', 'project' || n, 'person' || n, 'Person ' || n, '{"fields": ["name"]}'
     from generate_series(0, $1::int - 1) n, generate_series(1, 2) k`,
    [count],
  )
  const people = Array.from({ length: 100 }, (_, index) => Math.floor((index * count) / 100))
  await pool.query(
    `insert into sessions (id, user_id, signed_in_at, used_at, address, user_agent)
     select 'session' || n, 'person' || n, now(), now(), '', '' from unnest($1::int[]) n`,
    [people],
  )
  await pool.query(
    `insert into session_tokens (hash, session_id, kind, expires_at)
     select hash, 'session' || n, 'access', now() + interval '10 years' from unnest($1::int[], $2::text[]) as given (n, hash)`,
    [people, people.map((person) => hashOf(tokenOf(person)))],
  )
  await pool.query('vacuum analyze')
}

if (import.meta.main) await generate()
