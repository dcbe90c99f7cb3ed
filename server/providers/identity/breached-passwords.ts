import { limits } from '#config/limits.ts'
import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Observer } from '../../observe/observer.ts'
import { openQuiet } from '../../platform/quiet.ts'
import { watchedFetch } from '../watched-fetch.ts'

export type IsBreached = (password: string) => Promise<boolean>

const { breachesWithin, breachesSize } = limits.passwords

/**
 * Asks a service that lists passwords of breaches, and tells it only the first five digits of the
 * password's SHA-1. While the service has no answer, no password counts as breached.
 */
export function openBreachedPasswords(
  url: string | undefined,
  { log, observer }: { log: Logger; observer: Observer },
): IsBreached {
  if (url === undefined) return async () => false
  const fetch = watchedFetch('breaches', observer, () => '/range')
  const isQuiet = openQuiet()

  /** The lines `REST:COUNT` of hashes that begin with these digits. A count of 0 is padding. */
  async function linesOf(digits: string) {
    const response = await fetch(url + digits, {
      // Else the length of the answer would show the digits to whoever sees encrypted traffic.
      headers: { 'add-padding': 'true' },
      redirect: 'error',
      signal: AbortSignal.timeout(breachesWithin),
    })
    if (response.status !== 200) throw new Error(`The status is ${response.status}.`)
    const lines = (await read(response)).toUpperCase().split(/\r?\n/).filter(Boolean)
    if (!lines.every((line) => /^[\dA-F]{35}:\d+$/.test(line)))
      throw new Error('The answer is no list of hashes.')
    return lines
  }

  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    try {
      const lines = await linesOf(hash.slice(0, 5))
      const line = lines.find((line) => line.startsWith(hash.slice(5)))
      return line !== undefined && !/:0+$/.test(line)
    } catch (error) {
      const { message, cause } = error as Error
      const reason = cause instanceof Error ? cause.message : message
      if (!isQuiet()) log.warn({ reason }, 'no password is looked up among breached ones')
      return false
    }
  }
}

async function read({ body }: Response) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > breachesSize) throw new Error(`The answer is longer than ${breachesSize} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
