import pg from 'pg'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../start-error.ts'
import { isAlive } from './cluster.ts'
import { findRunning, stopRunning, type Running } from './postmaster.ts'

const key = `hashtext('atrium server')`

export function connectionOn(socketDir: string) {
  return { host: socketDir, port: 5432, user: 'atrium', database: 'atrium', ssl: false } satisfies pg.PoolConfig
}

/** A session, as soon as PostgreSQL takes one, or nothing if it ends before. */
export async function connectWhile(isRunning: () => boolean, socketDir: string) {
  while (isRunning()) {
    const session = new pg.Client(connectionOn(socketDir))
    session.on('error', () => undefined)
    const connected = await session.connect().then(() => true, () => false)
    if (connected) return session
    // It gives no other sign of being ready.
    await delay(10)
  }
  return undefined
}

/** Takes the lock that makes a server the only one on its data. It lasts as long as the session. */
export async function takeHold(session: pg.Client) {
  const { rows } = await session.query<{ got: boolean }>(`select pg_try_advisory_lock(${key}) as got`)
  return rows[0]!.got
}

/** Refuses to start beside another server. A PostgreSQL that a killed server left behind is stopped. */
export async function clearTheWay(cluster: string, folder: string) {
  for (let running = await findRunning(cluster); running; running = await findRunning(cluster)) {
    const { pid, socketDir } = running
    const patience = AbortSignal.timeout(30_000)
    const session = await connectWhile(() => isAlive(pid) && !patience.aborted, socketDir)
    if (patience.aborted) throw new StartError(`A PostgreSQL (process ${pid}) runs on ${cluster} and does not answer. Stop it and try again.`)
    if (session) await stopIfLeftBehind(session, running, folder)
  }
}

async function stopIfLeftBehind(session: pg.Client, running: Running, folder: string) {
  try {
    if (await isHeld(session)) throw inUse(folder)
    if (!(await takeHold(session))) throw inUse(folder)
    await stopRunning(running)
  } finally {
    await session.end().catch(() => undefined)
  }
}

/** Whether the server that started it has the lock, or is alive and about to take it. */
async function isHeld(session: pg.Client) {
  const patience = AbortSignal.timeout(5000)
  for (;;) {
    const { rows } = await session.query<{ held: boolean; name: string }>(
      `select exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${key}::oid) as held, current_setting('cluster_name') as name`,
    )
    const starter = Number(rows[0]!.name.split(':')[1])
    if (rows[0]!.held) return true
    if (patience.aborted || !starter || starter === process.pid || !isAlive(starter)) return false
    await delay(20)
  }
}

export function inUse(folder: string) {
  return new StartError(`Another Atrium server is already using DATA_DIR ${folder}. Stop it, or set DATA_DIR to another folder.`)
}
