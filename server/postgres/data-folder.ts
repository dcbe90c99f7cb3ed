import { chown, lstat, mkdir, open, realpath, rename, rm, symlink } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { StartError } from '../platform/start-error.ts'
import { canRun, publicFolder, type User } from './unprivileged.ts'

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

/**
 * The folder gets its final name only after `fill`, so that a cluster is complete or absent. Of
 * several servers at once, the first one's is taken.
 */
export async function makeCluster(
  folder: string,
  user: User | undefined,
  fill: (fresh: string) => Promise<void>,
) {
  const cluster = join(folder, 'postgres')
  const isOutside = user && !(await canRun('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], user))
  const name = randomBytes(6).toString('hex')
  const fresh = isOutside ? join(await publicFolder(), `data-${name}`) : `${cluster}-${name}`
  try {
    await mkdir(fresh, { mode: 0o700 })
    if (user) await chown(fresh, user.uid, user.gid)
    await fill(fresh)
    await (isOutside ? symlink(fresh, cluster) : rename(fresh, cluster))
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error
  }
  return realpath(cluster)
}
