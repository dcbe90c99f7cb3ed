import { chown, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../platform/start-error.ts'
import { clusterIn, findCluster, newPlaceOutside } from './data-folder.ts'
import { isAlive } from './is-alive.ts'
import { superuser } from './roles.ts'
import { complaintsOf } from './run.ts'
import { canEnter, type User } from './unprivileged.ts'

type Options = {
  folder: string
  native: string
  user: User | undefined
  notes: string[]
  sync: boolean
}

/** The real path of the cluster, made if there is none. */
export async function openCluster({ folder, native, user, notes, sync }: Options) {
  await removeUnfinished(folder)
  if (!(await findCluster(folder))) {
    const outside =
      user && !(await canEnter(folder, user)) ? await newPlaceOutside(folder) : undefined
    await makeCluster({ folder, outside, native, user, sync })
  }
  const { cluster, owner } = (await findCluster(folder))!
  if (user && !(await canEnter(cluster, user))) {
    throw new StartError(
      `User ${user.name}, who runs PostgreSQL for root, can't enter ${cluster}. Let others pass through the folders above it, or start as the user who owns it.`,
    )
  }
  if (owner !== (user?.uid ?? process.getuid!())) {
    throw new StartError(
      `The data in ${cluster} belongs to another user (id ${owner}). Start as that user or as root, or set DATA_DIR to another folder.`,
    )
  }
  await requireVersion(cluster)
  if (!cluster.startsWith(folder))
    notes.push(
      `User ${user?.name}, who runs PostgreSQL for root, can't enter ${folder}, so the data is in ${cluster}.`,
    )
  return cluster
}

/** Made under another name first: a cluster that bears its name is whole, and of two servers making it at once one wins. */
async function makeCluster({
  folder,
  outside,
  native,
  user,
  sync,
}: Omit<Options, 'notes'> & { outside: string | undefined }) {
  const fresh = outside ?? join(folder, `postgres.new-${process.pid}`)
  try {
    await mkdir(fresh, { mode: 0o700 })
    if (user) await chown(fresh, user.uid, user.gid)
    await fill(fresh, native, user, sync)
    await (outside ? symlink(outside, clusterIn(folder)) : rename(fresh, clusterIn(folder)))
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EEXIST', 'ENOTEMPTY'].includes(code)) throw error
  }
}

async function fill(fresh: string, native: string, user: User | undefined, sync: boolean) {
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  const args = [
    '-D',
    fresh,
    '-U',
    superuser,
    '--auth=reject',
    '--no-instructions',
    ...locale,
    ...(sync ? [] : ['--no-sync']),
  ]
  const complaints =
    (await complaintsOf(join(native, 'bin', 'initdb'), args, { user })) ??
    (await complaintsOf(join(native, 'bin', 'postgres'), ['--single', '-D', fresh, 'postgres'], {
      user,
      input: 'create database atrium\n',
    }))
  if (complaints)
    throw new StartError(`PostgreSQL could not make its files in ${fresh}: ${complaints}`)
}

/** What a server left behind that ended while it made a cluster. */
async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder)) {
    const pid = Number(/^postgres\.new-(\d+)$/.exec(name)?.[1])
    if (pid && (pid === process.pid || !isAlive(pid)))
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function requireVersion(cluster: string) {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')
  if (!version)
    throw new StartError(
      `${cluster} holds something else than PostgreSQL's data. Move it away, or set DATA_DIR to another folder.`,
    )
  if (version.trim() !== '18')
    throw new StartError(
      `The data in ${cluster} was made by PostgreSQL ${version.trim()}; this is 18. Dump it with the old one and load it with the new one.`,
    )
}
