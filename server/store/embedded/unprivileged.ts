import { spawn } from 'node:child_process'
import { chmod, lstat, mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../../platform/start-error.ts'

export type User = { name: string; uid: number; gid: number }

/** PostgreSQL refuses to run as root, so root lends it a user without rights; anybody else runs it as themselves. */
export async function findUser(ownerOfData: number | undefined): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').flatMap(readUser)
  const owner = users.find(({ uid }) => uid === ownerOfData)
  const nobody = users.find(({ name }) => name === 'nobody')
  for (const user of [owner, nobody, ...users]) if (user && (await canBe(user))) return user
  throw new StartError(
    'PostgreSQL does not run as root, and no other user was found to run it as. Start as another user, or set DATABASE_URL.',
  )
}

function readUser(line: string): User[] {
  const [name = '', , uid, gid] = line.split(':')
  return Number(uid) ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
}

function canBe(user: User) {
  return succeeds('/bin/sh', ['-c', ':'], user)
}

export function canRun(program: string, user: User | undefined) {
  return succeeds(program, ['--version'], user)
}

/** Asked by trying: rights may come from modes, access lists, mounts or name spaces. */
export function canEnter(folder: string, user: User) {
  return succeeds('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], user)
}

function succeeds(program: string, args: string[], user: User | undefined) {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const child = spawn(program, args, { ...asUser(user), stdio: 'ignore' })
  child.on('error', () => resolve(false))
  child.on('exit', (code) => resolve(code === 0))
  return promise
}

/** How to spawn PostgreSQL's programs. Our own environment holds secrets, which any process of that user could read in theirs. */
export function asUser(user: User | undefined) {
  const env = { PATH: '/usr/bin:/bin', HOME: '/', TZ: 'UTC', LC_ALL: 'C' }
  return { cwd: '/', env, ...(user && { uid: user.uid, gid: user.gid }) }
}

/** A folder of root's that everybody can enter. */
export async function publicFolder() {
  for (const folder of ['/var/lib/atrium', join(tmpdir(), 'atrium-of-root')]) {
    const made = await mkdir(folder)
      .then(() => chmod(folder, 0o755))
      .catch((error: NodeJS.ErrnoException) => error)
    if (made && made.code !== 'EEXIST') continue
    const { uid, mode } = await lstat(folder)
    if (uid === 0 && (mode & 0o40022) === 0o40000) return folder
  }
  throw new StartError(
    'PostgreSQL does not run as root, and /var/lib/atrium, where another user could reach it, cannot be made. Start as another user, or set DATABASE_URL.',
  )
}
