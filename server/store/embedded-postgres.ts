import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../start-error.ts'
import { makeOwnFolder, preparePlace, type Place } from './postgres-place.ts'

const user = 'atrium'
const database = 'postgres'
/** A socket's path has about a hundred bytes; its own name takes some of them. */
const longestSocketFolder = 85
/** Nobody but us listens, so there is nobody to tell apart. */
const port = 5432
const lockKey = 7_281_733

type Options = { dataDir: string; log: Logger; settings?: Record<string, string> }

/** Starts PostgreSQL on a data folder of our own. It stops with `stop()`, and by itself if this process is killed. */
export async function startEmbeddedPostgres({ dataDir, log, settings = {} }: Options) {
  const place = preparePlace(dataDir)
  await stopOrphan(place, dataDir, log)
  createCluster(place)
  const socketFolder = place.dataDir.length <= longestSocketFolder ? place.dataDir : makeSocketFolder(place)
  const postmaster = startPostmaster(place, socketFolder, settings)
  const connection = { host: socketFolder, port, user, database }
  const lock = await untilReady(connection, postmaster, place)
  if (!(await takeLock(lock))) throw new StartError(inUse(dataDir))
  const watchdog = watch(postmaster)

  return {
    connection,
    notes: place.notes,
    /** Settles when PostgreSQL ends, asked to or not. */
    ended: once(postmaster, 'exit'),
    async stop() {
      watchdog.kill('SIGKILL')
      await lock.end().catch(() => undefined)
      await stopPostmaster(postmaster)
      if (socketFolder !== place.dataDir) rmSync(socketFolder, { recursive: true, force: true })
    },
  }
}

function inUse(dataDir: string) {
  return `Another server is using the data in ${dataDir}. Stop it first, or set DATA_DIR to another folder.`
}

/** One made whole elsewhere and moved into place: a start that is cut off leaves no half of one. */
function createCluster(place: Place) {
  if (existsSync(place.dataDir)) return
  const parent = dirname(place.dataDir)
  const fresh = join(parent, `new-${process.pid}-${Date.now()}`)
  try {
    makeOwnFolder(fresh, place.account)
  } catch (error) {
    throw new StartError(
      `The folder ${parent} can't be written (${(error as NodeJS.ErrnoException).code}). Make it writable, or set DATA_DIR to another one.`,
    )
  }
  const args = [
    '-D',
    fresh,
    '-U',
    user,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ]
  const made = spawnSync(join(place.bin, 'initdb'), args, { ...place.account, cwd: fresh, env: { LC_ALL: 'C' }, encoding: 'utf8' })
  if (made.status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    throw new StartError(`PostgreSQL could not create its data in ${parent}: ${lastLine(made.stderr) || made.error?.message}`)
  }
  try {
    renameSync(fresh, place.dataDir)
  } catch {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(place.dataDir)) throw new StartError(`PostgreSQL's data could not be moved to ${place.dataDir}.`)
  }
}

function makeSocketFolder({ account }: Place) {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-'))
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

/** In a session of its own, so that Ctrl-C in a terminal reaches the server alone, which then stops both in order. */
function startPostmaster({ bin, dataDir, account }: Place, socketFolder: string, settings: Record<string, string>) {
  const all = {
    listen_addresses: '',
    shared_buffers: '64MB',
    max_connections: '60',
    max_wal_size: '256MB',
    jit: 'off',
    log_checkpoints: 'off',
    ...settings,
  }
  const args = [
    '-D',
    dataDir,
    '-k',
    socketFolder,
    '-p',
    String(port),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const output = openLog(dataDir)
  const child = spawn(join(bin, 'postgres'), args, {
    ...account,
    cwd: dataDir,
    detached: true,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  return child
}

function logFile(dataDir: string) {
  return join(dataDir, 'server.log')
}

function openLog(dataDir: string) {
  try {
    return openSync(logFile(dataDir), 'w')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `PostgreSQL's data in ${dataDir} can't be written (${code}). It may belong to another user; set DATA_DIR to another folder.`,
    )
  }
}

async function untilReady(connection: pg.ClientConfig, postmaster: ChildProcess, { dataDir }: Place) {
  let failure: Error | undefined
  postmaster.once('error', (error) => (failure = error))
  while (!failure && postmaster.exitCode === null && postmaster.signalCode === null) {
    const client = await connect(connection)
    if (client) return client
    await delay(15)
  }
  if (failure) throw new StartError(`PostgreSQL could not be started: ${failure.message}`)
  throw new StartError(`PostgreSQL could not start on ${dataDir}: ${lastLine(readFileSync(logFile(dataDir), 'utf8'))}`)
}

async function connect(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  return client.connect().then(
    () => client,
    () => undefined,
  )
}

/** Held by the server's connection for as long as it lives: who gets it owns the data folder. */
async function takeLock(client: pg.Client) {
  const answer = await client.query('select pg_try_advisory_lock($1) taken', [lockKey]).catch(() => undefined)
  return Boolean(answer?.rows[0]?.taken)
}

/** A shell whose input ends when this process does, however it ends. */
function watch({ pid }: ChildProcess) {
  const watchdog = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  })
  watchdog.unref()
  return watchdog
}

async function stopPostmaster(postmaster: ChildProcess) {
  if (postmaster.exitCode !== null || postmaster.signalCode !== null) return
  const ended = once(postmaster, 'exit')
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one, from which it recovers at the next start.
  postmaster.kill('SIGINT')
  const timer = setTimeout(() => postmaster.kill('SIGQUIT'), 3000)
  await ended
  clearTimeout(timer)
}

/** What an earlier server left behind: a PostgreSQL that is going down, or one that nobody owns any more. */
async function stopOrphan({ dataDir }: Place, configuredDir: string, log: Logger) {
  for (let waited = 0; waited < 10_000; waited += 25) {
    const running = readPostmaster(dataDir)
    if (!running) return
    const client = await connect({ host: running.socketFolder, port, user, database })
    if (client) {
      const isOrphan = await takeLock(client)
      if (isOrphan) process.kill(running.pid, 'SIGINT')
      await client.end().catch(() => undefined)
      if (!isOrphan) throw new StartError(inUse(configuredDir))
      log.info({ pid: running.pid }, 'stopping the PostgreSQL of a server that is gone')
    }
    await delay(25)
  }
  throw new StartError(`A PostgreSQL on ${dataDir} neither answers nor ends. Stop it, then start again.`)
}

function readPostmaster(dataDir: string) {
  const file = join(dataDir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const [pid, , , , socketFolder = ''] = readFileSync(file, 'utf8').split('\n')
  if (isPostgres(Number(pid))) return { pid: Number(pid), socketFolder }
  // Its number has been given to another program since; PostgreSQL itself would take that one for its own.
  rmSync(file, { force: true })
  return undefined
}

function isPostgres(pid: number) {
  const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
  if (stdout !== null) return stdout.includes('postgres')
  return existsSync(`/proc/${pid}/comm`) && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
}

function lastLine(text: string) {
  return text.trim().split('\n').at(-1) ?? ''
}
