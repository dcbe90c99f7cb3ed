import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'

// The last bytes of a backup are a gzip file of their own, with the hash of all bytes before. gzip
// reads such files one after the other, and finds damage by itself, but not everywhere.

/** The bytes of gzip's header that are only for information. Here they are 0 on all systems. */
const ofNoUse = [4, 10] as const

/** Not compressed, so that it always has the same length. */
function sealOf(hash: string) {
  return gzipSync(textOf(hash), { level: 0 }).fill(0, ...ofNoUse)
}

const textOf = (hash: string) => `-- sha256 of all bytes before this line's: ${hash}\n`
const length = sealOf('0'.repeat(64)).length

/** Passes the bytes on, and then the seal. */
export async function* sealed(bytes: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
  yield sealOf(hash.digest('hex'))
}

/** The bytes do not end with their seal: some are missing or others. */
export class Damaged extends Error {}

/** Passes the bytes on without the seal, and throws at their end if it is not theirs. */
export async function* unsealed(bytes: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const all = Buffer.concat([held, chunk])
    const known = all.subarray(0, Math.max(0, all.length - length))
    held = all.subarray(known.length)
    hash.update(known)
    yield known
  }
  if (textIn(held) !== textOf(hash.digest('hex'))) throw new Damaged()
}

function textIn(seal: Buffer) {
  try {
    return seal.subarray(...ofNoUse).some(Boolean) ? undefined : gunzipSync(seal).toString()
  } catch {
    return undefined
  }
}
