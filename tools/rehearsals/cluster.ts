import { appendFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { superuser } from '../../server/postgres/cluster.ts'
import {
  initCluster,
  makeDatabase,
  onSession,
  openPostgres,
  password,
  type Postgres,
} from './postgres.ts'
import { runNow, type Stage } from './stage.ts'

/** A primary and a standby that has every commit before it is acknowledged, unless `lossy`. */
export async function openPair(stage: Stage, { lossy }: { lossy: boolean }) {
  const [first, second] = [stage.makeFolder('primary'), stage.makeFolder('standby')]
  await initCluster(stage, first)
  const primary = await openPostgres(stage, 'primary', first)
  // The npm package has no pg_basebackup, so the standby begins as a copy of the stopped primary.
  cpSync(first, second, { recursive: true })
  followIn(second, primary)
  if (stage.user) runNow('chown', ['-R', `${stage.user.uid}:${stage.user.gid}`, second])
  const standby = await openPostgres(stage, 'standby', second)
  // No commit on the primary ends before the standby runs.
  standby.begin()
  await primary.start({ synchronous_standby_names: lossy ? '' : 'standby' })
  await makeDatabase(primary)
  return { primary, standby }
}

/** From here on the standby hears nothing of what the primary does. */
export async function detach({ port }: Postgres) {
  await onSession(port, async (session) => {
    await session.query(`alter system set primary_conninfo = ''`)
    await session.query('select pg_reload_conf()')
  })
}

/** Makes the standby a primary, and returns when it accepts writes. */
export async function promote({ port }: Postgres) {
  await onSession(port, async (session) => {
    await session.query('select pg_promote(false)')
    const isStandby = async () =>
      (await session.query<{ is: boolean }>('select pg_is_in_recovery() is')).rows[0]!.is
    while (await isStandby()) await delay(10)
  })
}

function followIn(folder: string, { port }: Postgres) {
  const to = `host=127.0.0.1 port=${port} user=${superuser} password=${password}`
  writeFileSync(join(folder, 'standby.signal'), '')
  appendFileSync(
    join(folder, 'postgresql.auto.conf'),
    `primary_conninfo = '${to} application_name=standby'\n`,
  )
}
