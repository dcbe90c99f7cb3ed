import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, lstat, mkdir, open, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../../platform/start-error.ts'
import { publicFolder, type User } from './unprivileged.ts'

/** The path of a Unix socket is at most 103 bytes long (macOS; Linux has 4 more), and its name takes 15. */
const longestSocketFolder = 88

const asRoot = process.getuid?.() === 0

/** The real path of DATA_DIR, made if it's missing and known to be writable. */
export async function openDataFolder(dataDir: string) {
  const made = await makeFolder(dataDir)
  // Root's PostgreSQL runs as another user, who has to pass through.
  if (made) await chmod(dataDir, asRoot ? 0o711 : 0o700)
  const log = await openLog(dataDir)
  await log.close()
  return realpath(dataDir)
}

/** Not `recursive`: where nobody may make folders, below /proc say, that never returns. */
async function makeFolder(folder: string): Promise<boolean> {
  const failure = await mkdir(folder).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  )
  if (!failure) return true
  if (failure.code === 'EEXIST') return false
  if (failure.code !== 'ENOENT' || !(await makeFolder(dirname(folder)))) throw failure
  await mkdir(folder)
  return true
}

export async function openLog(folder: string) {
  return open(join(folder, 'postgres.log'), 'a', 0o600)
}

/** Where the cluster is published: in the data folder, as itself or as a link to where another user can reach it. */
export function clusterIn(folder: string) {
  return join(folder, 'postgres')
}

/** The cluster's real path and owner, or nothing if none was made yet. */
export async function findCluster(folder: string) {
  const published = clusterIn(folder)
  const cluster = await realpath(published).catch(() => undefined)
  if (cluster) return { cluster, owner: (await stat(cluster)).uid }
  if (!(await lstat(published).catch(() => undefined))) return undefined
  throw new StartError(
    `The data of ${folder} is gone: ${published} is a link to a folder that no longer exists. Remove the link to start with an empty store.`,
  )
}

/** A place outside the data folder that the given user can enter. Its name is new every time: no leftover of an earlier folder at the same path is taken for this one's. */
export async function newPlaceOutside(folder: string) {
  return join(
    await publicFolder(),
    `${basename(dirname(folder))}-${shortHash(folder)}-${randomBytes(3).toString('hex')}`,
  )
}

/** A folder for the socket that only its owner may enter: whoever gets at the socket is in. */
export async function socketFolder(cluster: string, user: User | undefined) {
  if (Buffer.byteLength(cluster) <= longestSocketFolder) return cluster
  const uid = user?.uid ?? process.getuid!()
  const name = `atrium-${uid}-${shortHash(cluster)}`
  const folder = [join(tmpdir(), name), join('/tmp', name)].find(
    (path) => Buffer.byteLength(path) <= longestSocketFolder,
  )!
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  )
  if (made && user) await chown(folder, user.uid, user.gid)
  const found = await lstat(folder)
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return folder
  throw new StartError(
    `${folder}, the folder for PostgreSQL's socket, belongs to somebody else. Remove it, or set DATA_DIR to a shorter path.`,
  )
}

function shortHash(text: string) {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}
