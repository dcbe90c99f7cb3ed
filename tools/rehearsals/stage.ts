import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asUser, findUser } from '../../server/postgres/unprivileged.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>

/** The folder and the programs of one rehearsal. `close` ends and removes all of them. */
export async function openStage({ keep }: { keep: boolean }) {
  // PostgreSQL, PgBouncer and haproxy run as this user if root starts the rehearsal.
  const user = await findUser(undefined)
  const folder = mkdtempSync(join(tmpdir(), 'app-rehearsal-'))
  chmodSync(folder, 0o711)
  const closing: (() => unknown)[] = []
  let closed: Promise<void> | undefined

  /** Makes a folder that only the programs' user can enter. */
  function makeFolder(name: string) {
    const made = join(folder, name)
    mkdirSync(made, { mode: 0o700 })
    if (user) chownSync(made, user.uid, user.gid)
    return made
  }

  /** Starts a program whose process id stays the same. The kernel kills it with this process. */
  function start(name: string, program: string, args: string[]) {
    const log = openLog(name)
    return spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], {
      ...asUser(user),
      stdio: ['ignore', log, log],
    })
  }

  function openLog(name: string) {
    return openSync(join(folder, `${name}.log`), 'a')
  }

  async function closeAll() {
    for (const end of closing.toReversed())
      try {
        await end()
      } catch (error) {
        // The rest must end all the same.
        console.error(error)
      }
    if (keep) console.log(`The logs are in ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }

  return {
    folder,
    user,
    makeFolder,
    start,
    openLog,
    /** What is opened last is ended first. */
    atEnd: (end: () => unknown) => void closing.push(end),
    /** A signal may come while the rehearsal ends. */
    close: () => (closed ??= closeAll()),
  }
}

/** The programs that a rehearsal needs, with their Debian packages. */
const packages = { setpriv: 'util-linux', haproxy: 'haproxy', pgbouncer: 'pgbouncer' }
export type Program = keyof typeof packages

/** Why the rehearsal can't run here, in one line. */
export function whatIsMissing(programs: Program[]) {
  if (process.platform !== 'linux') return 'skipped: the rehearsals run on Linux'
  const missing = programs.filter((program) => !existsSync(pathOf(program)))
  if (missing.length === 0) return undefined
  const names = missing.map((program) => packages[program]).join(' ')
  return `skipped: ${missing.join(' and ')} not found; on Debian: apt-get install ${names}`
}

/** Debian puts servers where the path of a user may not lead. */
export function pathOf(program: Program) {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? ''
}

/** Runs a program to its end. Throws what it said if it fails. */
export function runNow(program: string, args: string[], options: object = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`${program} failed: ${stderr || stdout}`)
  return stdout
}

const started = Date.now()

/** Says what happens now. */
export function say(text: string) {
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`)
}
