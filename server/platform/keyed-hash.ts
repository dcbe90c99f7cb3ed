import { createHmac } from 'node:crypto'

export type KeyedHash = (purpose: string, value: string) => string

/**
 * HMAC-SHA-256 with the installation's key. Without the key, nobody can test which value a hash is
 * of. Hashes for different purposes differ.
 */
export function openKeyedHash(key: string): KeyedHash {
  return (purpose, value) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, value]))
      .digest('base64url')
}

/** Stands for a person, an account or an address in the log. */
export function pseudonym(keyedHash: KeyedHash, value: string) {
  return keyedHash('log', value).slice(0, 16)
}
