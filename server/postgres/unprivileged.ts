import { spawn } from 'node:child_process'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { StartError } from '../platform/start-error.ts'

export type User = { uid: number; gid: number }

/** PostgreSQL refuses to run as root, so root runs it as the cluster's owner or as nobody. */
export async function findUser(cluster: string | undefined): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = cluster && (await stat(cluster))
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const nobody = /^nobody:[^:]*:(-?\d+):(-?\d+)/m.exec(await readFile('/etc/passwd', 'utf8'))
  const user = { uid: Number(nobody?.[1]), gid: Number(nobody?.[2]) }
  if (nobody && (await canRun('/bin/sh', ['-c', ':'], user))) return user
  throw new StartError(
    'PostgreSQL does not run as root, and can not be run as nobody here. Start as another user, or set DATABASE_URL.',
  )
}

/** Tries it, because rights may come from modes, access lists, mounts or namespaces. */
export function canRun(program: string, args: string[], user: User | undefined) {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const child = spawn(program, args, { ...asUser(user), stdio: 'ignore' })
  child.on('error', () => resolve(false))
  child.on('exit', (code) => resolve(code === 0))
  return promise
}

/** PostgreSQL's programs get nothing of the server's environment, which holds secrets. */
export function asUser(user: User | undefined) {
  const env = { PATH: '/usr/bin:/bin', HOME: '/', TZ: 'UTC', LC_ALL: 'C' }
  return { cwd: '/', env, ...user }
}

/** The path of a folder that every user can enter. Root makes it if it is missing. */
export async function publicFolder() {
  const folder = '/var/lib/embedded-postgres'
  await mkdir(folder, { recursive: true, mode: 0o755 })
  return folder
}
