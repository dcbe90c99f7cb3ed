import { createReadStream } from 'node:fs'
import { lstat, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StartError } from '../../server/platform/start-error.ts'

/** In place of a file: standard output, or standard input. */
export const standard = '-'

type Bytes = AsyncIterable<Buffer>

/**
 * Writes a new file that only this user can read. It has its name once it is whole and on the disk.
 * Returns its path.
 */
export async function writeFile(file: string, bytes: Bytes) {
  const path = resolve(file)
  const part = `${path}.part`
  try {
    await requireAbsent(path)
    const handle = await open(part, 'wx', 0o600)
    try {
      await fill(handle, bytes)
      await requireAbsent(path)
      await rename(part, path)
    } catch (error) {
      await rm(part)
      throw error
    }
    return path
  } catch (error) {
    throw inPlainWords(error, path)
  }
}

async function fill(handle: FileHandle, bytes: Bytes) {
  try {
    for await (const chunk of bytes) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function requireAbsent(path: string) {
  if (await lstat(path).catch(() => undefined))
    throw new StartError(`${path} exists already. Choose another name.`)
}

export async function writeToStandardOutput(bytes: Bytes) {
  if (process.stdout.isTTY)
    throw new StartError('A backup is not for a terminal. Send it into a file or a program.')
  // A failed write says so by its callback too.
  process.stdout.on('error', () => undefined)
  for await (const chunk of bytes)
    await new Promise<void>((written, failed) => {
      process.stdout.write(chunk, (error) => (error ? failed(error) : written()))
    })
}

export async function* readFile(file: string): Bytes {
  try {
    yield* file === standard ? process.stdin : createReadStream(file)
  } catch (error) {
    throw inPlainWords(error, resolve(file))
  }
}

/** Leaves errors alone that are not about the file. */
function inPlainWords(error: unknown, path: string) {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'EEXIST')
    return new StartError(
      `${path}.part exists already. Another backup to this file is under way, or one was killed: then remove it.`,
    )
  if (code === 'ENOENT') return new StartError(`There is no such file or folder: ${path}`)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartError(`The disk that ${path} is on is full.`)
  if (['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOTDIR', 'EIO', 'EFBIG'].includes(code))
    return new StartError(`${path} can not be used: ${message}`)
  return error
}
