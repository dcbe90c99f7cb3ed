import { limits } from '../../config/limits.ts'
import { hash } from '@node-rs/argon2'
import pg from 'pg'
import type { Logger } from 'pino'
import { hashOf } from '../../server/platform/ids.ts'
import { openPool } from '../../server/sql/database.ts'
import { migrateDatabase } from '../../server/migrate/migrate.ts'
import { serverRole, superuser } from '../../server/postgres/cluster.ts'
import { tokenOf } from './data.ts'

export const password = 'a good secret'

// Loads spread over many people and projects, so that neither rate limits nor seats run out, nobody
// waits for their own other calls, and calls seldom meet at one project's lock. Four hosts are
// members of every project, guests of none. The flooder has much activity.
export const counts = {
  owners: 48,
  projects: 480,
  guests: 40,
  listers: 48,
  listed: 20,
  signers: 64,
  entries: 20_000,
}

export const owner = (project: number) => `owner${project % counts.owners}`
export const lister = (count: number) => `lister${count % counts.listers}`
export const inviteOf = (project: number, guest: number) => `invite${project}-${guest}`
export { tokenOf }

/** What a load finds in the tables that it changes. */
export const states = {
  noGuests: '',
  invited: `insert into invites (id, subscription_id, email, permissions, status, host_id, code_hash, created_at, expires_at)
    select 'invite' || p || '-' || g, 'project' || p, 'guest' || g || '@example.com', '{access}', 'pending', 'owner' || p % ${counts.owners},
      'code' || p || '-' || g, now(), now() + interval '1 day'
    from generate_series(0, ${counts.projects - 1}) p, generate_series(0, ${counts.guests - 1}) g`,
  joined: `insert into members (subscription_id, user_id, permissions, created_at)
    select 'project' || p, 'guest' || g, '{access}', now()
    from generate_series(0, ${counts.projects - 1}) p, generate_series(0, ${counts.guests - 1}) g`,
}

/** Empties the tables that loads change and fills them, without triggers, then writes all to disk. */
export async function reset(pool: pg.Pool, state: keyof typeof states) {
  await pool.query(`truncate invites`)
  await pool.query(`delete from members where user_id like 'guest%'`)
  await pool.query('vacuum (analyze) members, subscriptions, activity')
  // An installation never analyzes a table while it is empty.
  if (states[state]) await pool.query(`${states[state]}; analyze members, invites`)
  await pool.query('checkpoint')
}

export type Database = { url: string; pool: pg.Pool }
type Connection = pg.ClientConfig & { host?: string | undefined; port?: number | undefined }

/** Makes the databases of the product, of the floor and of the product with the provider stub. */
export async function makeDatabases(connection: Connection, log: Logger) {
  const admin = new pg.Client({ ...connection, user: superuser, database: 'postgres' })
  await admin.connect()
  const open = (database: string): Database => ({
    url: `postgres://${serverRole}@localhost:${connection.port}/${database}?host=${encodeURIComponent(connection.host!)}`,
    // The role `replica` skips triggers and foreign keys.
    pool: openPool(
      {
        ...connection,
        database,
        user: superuser,
        max: 2,
        statement_timeout: 0,
        idleTimeoutMillis: 100,
        options: '-c session_replication_role=replica',
      },
      log,
    ),
  })
  await admin.query(`create database filled owner ${serverRole}`)
  await migrateDatabase({ ...connection, database: 'filled' }, log)
  const filled = open('filled')
  await fill(filled.pool)
  await filled.pool.end()
  for (const name of ['product', 'floor', 'billed'])
    await admin.query(`create database ${name} template filled owner ${serverRole}`)
  await admin.end()
  const databases = { product: open('product'), floor: open('floor'), billed: open('billed') }
  await makeFloor(databases.floor.pool)
  await databases.billed.pool.query(
    `update subscriptions set stripe_customer_id = 'cus_' || id, stripe_subscription_id = 'sub_' || id, renews_at = now()`,
  )
  return databases
}

async function fill(pool: pg.Pool) {
  const { owners, projects, guests, listers, listed, signers, entries } = counts
  const people = Object.entries({
    owner: owners,
    host: 4,
    guest: guests,
    lister: listers,
    flooder: 1,
    signer: signers,
  }).flatMap(([name, count]) => Array.from({ length: count }, (_, index) => `${name}${index}`))
  await pool.query(
    `insert into users (id, email, email_verified, claimed, display_name, created_at, updated_at)
     select id, id || '@example.com', true, true, 'Person ' || id, now(), now() from unnest($1::text[]) id`,
    [people],
  )
  await pool.query(
    `insert into sessions (id, user_id, signed_in_at, used_at, address, user_agent)
     select 'session-' || id, id, now(), now(), '', '' from unnest($1::text[]) id`,
    [people],
  )
  await pool.query(
    `insert into session_tokens (hash, session_id, kind, expires_at)
     select hash, 'session-' || id, 'access', now() + interval '1 day' from unnest($1::text[], $2::text[]) as given (id, hash)`,
    [people, people.map((id) => hashOf(tokenOf(id)))],
  )
  await pool.query(
    `insert into passwords (user_id, hash) select id, $1 from users where id like 'signer%'`,
    [await hash(password, limits.passwords.cost)],
  )
  await pool.query(
    `insert into subscriptions (id, owner_id, plan_id, status, settings, created_at)
     select 'project' || n, 'owner' || n % ${owners}, 'enterprise', 'active', jsonb_build_object('name', 'Project ' || n), now()
     from generate_series(0, ${projects - 1}) n
     union all
     select 'listed' || n, 'lister' || n / ${listed}, 'enterprise', 'active', jsonb_build_object('name', 'Listed ' || n), now() - n * interval '1 second'
     from generate_series(0, ${listers * listed - 1}) n
     union all
     select 'flooded', 'flooder0', 'enterprise', 'active', '{"name": "Flooded"}', now()`,
  )
  await pool.query(
    `insert into members (subscription_id, user_id, permissions, created_at)
     select id, owner_id, '{access,admin}'::text[], created_at from subscriptions
     union all
     select s.id, 'host' || n, '{access}', s.created_at from subscriptions s, generate_series(0, 3) n`,
  )
  await pool.query(
    `insert into activity (at, kind, actor_id, actor_name, subscription_id, details)
     select now(), 'settingsChanged', 'flooder0', 'Person flooder0', 'flooded', '{"fields": ["name", "description"]}'
     from generate_series(1, ${entries})`,
  )
  await pool.query('vacuum analyze')
}

/**
 * The floor's tables are the product's, with their indexes and foreign keys, since those belong to
 * the data. They have no triggers, which do work of the product's own.
 */
async function makeFloor(pool: pg.Pool) {
  await pool.query(`do $$ declare found record; begin
    for found in select tgname, tgrelid::regclass tab from pg_trigger where not tgisinternal loop
      execute format('drop trigger %I on %s', found.tgname, found.tab);
    end loop; end $$`)
  await pool.query(
    `create table bare_outbox (id bigint generated always as identity primary key, kind text not null, payload json not null)`,
  )
  await pool.query(`grant all on bare_outbox to ${serverRole}`)
}
