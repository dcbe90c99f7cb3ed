import { createHash, hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** An id in `subscriptions`. The compiler accepts any string as one, but no provider's id. */
export type SubscriptionId = string & { readonly idOf?: 'subscription' }
/** The payment provider's ids. They come only from the provider's answers and our own rows. */
export type ProviderSubscriptionId = string & { readonly idOf: 'provider subscription' }
export type CustomerId = string & { readonly idOf: 'customer' }

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A random id: 20 characters of a-z and 0-9, or 103 bits. */
export function newId() {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** A secret of which only the `hashOf` is stored: docs/decisions/001-opaque-access-tokens.md. */
export function newToken(bytes = 32) {
  return randomBytes(bytes).toString('base64url')
}

const prefix = 'atr_'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A token that programs send: `atr_`, 256 random bits and a checksum, as docs/tokens.md says. */
export function newAccessToken() {
  const secret = Array.from({ length: 43 }, () => base62[randomInt(62)]).join('')
  return withChecksum(prefix + secret)
}

export function isAccessToken(text: string) {
  return text.startsWith(prefix)
}

/** Whether the text can be an access token: a mistyped one costs no question to the database. */
export function hasChecksum(text: string) {
  return text === withChecksum(text.slice(0, -6))
}

function withChecksum(text: string) {
  let rest = crc32(text)
  let checksum = ''
  for (; checksum.length < 6; rest = Math.floor(rest / 62)) checksum = base62[rest % 62] + checksum
  return text + checksum
}

/** SHA-256, which protects random secrets but not passwords. */
export function hashOf(token: string) {
  return hash('sha256', token, 'base64url')
}

/** Returns the same id for the same words, in the format of `newId`. */
export function idFrom(...words: string[]) {
  const digest = createHash('sha256').update(JSON.stringify(words)).digest()
  return Array.from(digest.subarray(0, 20), (byte) => alphabet[byte % alphabet.length]).join('')
}
