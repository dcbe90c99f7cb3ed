import { chown, lstat, mkdir, open, realpath, rename, rm, symlink } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { accessSync, closeSync, constants, fchmodSync, lstatSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../platform/start-error.ts'
import { canEnter, publicFolder, type User } from './unprivileged.ts'

/** The real path of DATA_DIR. Makes the folder if it is missing, and checks that it is writable. */
export async function openDataFolder(dataDir: string) {
  await mkdir(dirname(dataDir), { recursive: true })
  // A PostgreSQL that root starts runs as another user, who has to pass through the folder.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  await mkdir(dataDir, { mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await (await openLog(dataDir)).close()
  return realpath(dataDir)
}

export async function openLog(folder: string) {
  return open(join(folder, 'postgres.log'), 'a', 0o600)
}

/** SQLite locks in the kernel, which Node can't do: the lock ends with the process, even killed. */
export function lockFolder(folder: string) {
  const file = join(folder, 'server.lock')
  makePrivate(file)
  const lock = new DatabaseSync(file)
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === 5) return undefined
    throw error
  }
}

/**
 * A user who can read the file can hold the lock. A private file is not opened, because its closing
 * would free a lock of this process.
 */
function makePrivate(file: string) {
  const { R_OK, W_OK, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
  const mode = lstatSync(file, { throwIfNoEntry: false })?.mode
  if (mode !== undefined && (mode & 0o077) === 0) return accessSync(file, R_OK | W_OK)
  const opened = openSync(file, O_CREAT | O_RDWR | O_NOFOLLOW, 0o600)
  fchmodSync(opened, 0o600)
  closeSync(opened)
}

/** The real path of the cluster; undefined if there is none yet. */
export async function findCluster(folder: string) {
  const cluster = join(folder, 'postgres')
  if (!(await lstat(cluster).catch(() => undefined))) return undefined
  return realpath(cluster).catch(() => {
    throw new StartError(
      `The data of ${folder} is gone: ${cluster} is a link to a folder that no longer exists. Remove the link to start with an empty store.`,
    )
  })
}

/** The folder gets its final name only after `fill`, so that a cluster is complete or absent. */
export async function makeCluster(
  folder: string,
  user: User | undefined,
  fill: (fresh: string) => Promise<void>,
) {
  const outside = user && !(await canEnter(folder, user))
  const fresh = outside
    ? join(await publicFolder(), `data-${randomBytes(6).toString('hex')}`)
    : join(folder, 'postgres.new')
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  if (user) await chown(fresh, user.uid, user.gid)
  try {
    await fill(fresh)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    throw error
  }
  const cluster = join(folder, 'postgres')
  await (outside ? symlink(fresh, cluster) : rename(fresh, cluster))
  return realpath(cluster)
}
