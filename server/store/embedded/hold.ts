import pg from 'pg'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../platform/start-error.ts'
import { isAlive } from './is-alive.ts'
import { serverRole, superuser } from './roles.ts'
import { findRunning, ownName, stopRunning, type Running } from './postmaster.ts'

/** A lock's name is two numbers: these letters, and what of ours is locked. */
const [atrium, server] = [0x61747269, 1]

/** What the server works with. */
export function connectionOn(socketDir: string) {
  return {
    host: socketDir,
    port: 5432,
    user: serverRole,
    database: 'atrium',
    ssl: false,
  } satisfies pg.PoolConfig
}

/** What a PostgreSQL is set up and held with. */
function superuserOn(socketDir: string) {
  return { ...connectionOn(socketDir), user: superuser } satisfies pg.PoolConfig
}

/** A session, as soon as PostgreSQL takes one, or nothing if it ends before. */
export async function connectWhile(isRunning: () => boolean, socketDir: string) {
  while (isRunning()) {
    const session = new pg.Client({ ...superuserOn(socketDir), connectionTimeoutMillis: 5000 })
    session.on('error', () => undefined)
    const connected = await session.connect().then(
      () => true,
      () => false,
    )
    if (connected) return session
    // It gives no other sign of being ready.
    await delay(10)
  }
  return undefined
}

/** Not waited for: a PostgreSQL that hangs would not let go. */
export function drop(session: pg.Client | undefined) {
  void session?.end().catch(() => undefined)
}

/** The lock that makes a server the only one on its data lasts as long as the session. */
async function tryLock(session: pg.Client) {
  const { rows } = await session.query<{ got: boolean }>(
    `select pg_try_advisory_lock(${atrium}, ${server}) as got`,
  )
  return rows[0]!.got
}

/** Takes the lock on the PostgreSQL that this process has started. A session may have met another one, started at the same moment. */
export async function takeHold(session: pg.Client) {
  const { rows } = await session.query<{ cluster_name: string }>('show cluster_name')
  return rows[0]!.cluster_name === ownName && (await tryLock(session))
}

/** Refuses to start beside another server. A PostgreSQL that a killed server left behind is stopped. */
export async function clearTheWay(cluster: string, folder: string) {
  const patience = AbortSignal.timeout(30_000)
  for (let running = await findRunning(cluster); running; running = await findRunning(cluster)) {
    const { pid, socketDir } = running
    const session =
      socketDir && (await connectWhile(() => isAlive(pid) && !patience.aborted, socketDir))
    if (patience.aborted)
      throw new StartError(
        `A PostgreSQL (process ${pid}) runs on ${cluster} and does not answer. Stop it and try again.`,
      )
    if (session) await stopIfLeftBehind(session, running, folder)
    // It has yet to write down where it listens.
    else await delay(10)
  }
}

async function stopIfLeftBehind(session: pg.Client, running: Running, folder: string) {
  try {
    if ((await isHeld(session)) || !(await tryLock(session))) throw inUse(folder)
    await stopRunning(running)
  } catch (error) {
    // A session that breaks off means that PostgreSQL is being stopped by somebody else; the caller looks again.
    if (error instanceof StartError) throw error
  } finally {
    drop(session)
  }
}

/** Whether a server works on this PostgreSQL, and others may join it there. */
export async function isInUse({ pid, socketDir }: Running) {
  const patience = AbortSignal.timeout(5000)
  const session = socketDir
    ? await connectWhile(() => isAlive(pid) && !patience.aborted, socketDir)
    : undefined
  try {
    return session !== undefined && (await isHeld(session).catch(() => false))
  } finally {
    drop(session)
  }
}

/** Whether the server that started it has the lock, or is alive and about to take it. */
async function isHeld(session: pg.Client) {
  const patience = AbortSignal.timeout(5000)
  for (;;) {
    const { rows } = await session.query<{ held: boolean; name: string }>(
      `select exists (select from pg_locks where locktype = 'advisory' and classid = ${atrium} and objid = ${server}) as held, current_setting('cluster_name') as name`,
    )
    const starter = Number(rows[0]!.name.split(':')[1])
    if (rows[0]!.held) return true
    if (patience.aborted || !starter || starter === process.pid || !isAlive(starter)) return false
    await delay(20)
  }
}

function inUse(folder: string) {
  return new StartError(
    `Another Atrium server is already using DATA_DIR ${folder}. Stop it, or set DATA_DIR to another folder.`,
  )
}
