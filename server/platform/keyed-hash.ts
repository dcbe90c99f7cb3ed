import { createHmac } from 'node:crypto'

export type KeyedHash = (purpose: string, value: string) => string

/**
 * Returns a function that hashes values with HMAC-SHA-256 and the installation's key. Without the
 * key, nobody can find out which value a hash was made from. The same value has different hashes
 * for different purposes.
 */
export function openKeyedHash(key: string): KeyedHash {
  return (purpose, value) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, value]))
      .digest('base64url')
}

/**
 * Returns the hash that replaces a user's id, an e-mail address or a network address in the log.
 */
export function pseudonym(keyedHash: KeyedHash, value: string) {
  return keyedHash('log', value).slice(0, 16)
}
