import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../platform/start-error.ts'

/** Owns the cluster. The server has another role: superusers can run programs and read files. */
export const superuser = 'atrium'

/** Owns the database and everything in it, and has no other right. The server uses it. */
export const serverRole = 'atrium_server'

/** The name of the database in a cluster. */
export const databaseName = 'atrium'

export function connectionOn(socketDir: string) {
  return {
    host: socketDir,
    port: 5432,
    user: serverRole,
    database: databaseName,
    ssl: false as const,
  }
}

export async function prepareDatabase(session: pg.Client) {
  const { rows } = await session.query<{ role: boolean; database: boolean }>(
    `select exists (select from pg_roles where rolname = '${serverRole}') as role,
      exists (select from pg_database where datname = '${databaseName}') as database`,
  )
  if (!rows[0]!.role) await session.query(`create role ${serverRole} login`)
  if (!rows[0]!.database) await session.query(`create database ${databaseName}`)
  await session.query(`alter database ${databaseName} owner to ${serverRole}`)
}

/** A superuser's session. Without one, whether PostgreSQL is there and only starts or ends. */
export async function openSession(socketDir: string) {
  const options = { user: superuser, database: 'postgres', connectionTimeoutMillis: 5000 }
  const session = new pg.Client({ ...connectionOn(socketDir), ...options })
  session.on('error', () => undefined)
  return session.connect().then(
    () => ({ session, isThere: true }),
    ({ code = '' }) => ({
      session: undefined,
      isThere: !['ENOENT', 'ECONNREFUSED'].includes(code),
    }),
  )
}

/** Looks whether PostgreSQL is where its note says. A power cut may leave an old or damaged one. */
async function look(cluster: string) {
  const note = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined)
  const [pid, , , , socketDir = ''] = note?.split('\n') ?? []
  const { session, isThere } = socketDir.startsWith('/')
    ? await openSession(socketDir)
    : { session: undefined, isThere: false }
  await session?.end()
  return { hasNote: note !== undefined, pid, socketDir, isThere, serves: session !== undefined }
}

/** Where the PostgreSQL of a cluster listens. Waits for one that starts. */
export async function findServing(cluster: string) {
  const patience = AbortSignal.timeout(10_000)
  for (;;) {
    const { serves, isThere, socketDir } = await look(cluster)
    if (serves) return socketDir
    if (!isThere || patience.aborted) return undefined
    await delay(20)
  }
}

/**
 * Waits for the end of the PostgreSQL that has a cluster: that of a killed server ends within
 * seconds. If none runs, removes `postmaster.pid`, which says that one does. Should one run after
 * all, the next PostgreSQL finds its shared memory and does not start.
 */
export async function waitUntilFree({ cluster, folder }: { cluster: string; folder: string }) {
  const since = performance.now()
  for (;;) {
    const { hasNote, isThere, serves, pid } = await look(cluster)
    const waited = performance.now() - since
    if (!hasNote) return
    if (!isThere && waited > 2000) return rm(join(cluster, 'postmaster.pid'), { force: true })
    if ((serves && waited > 3000) || waited > 30_000)
      throw new StartError(
        `Another server is already using DATA_DIR ${folder}: its PostgreSQL is process ${pid}. Stop it, or set DATA_DIR to another folder.`,
      )
    await delay(50)
  }
}
