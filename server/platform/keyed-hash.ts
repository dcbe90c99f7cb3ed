import { createHmac } from 'node:crypto'

export type KeyedHash = (purpose: string, value: string) => string

/**
 * HMAC-SHA-256 with the installation's own key, in base64url: equal values give equal hashes, and nobody without the key can try values
 * out. Hashes for different purposes can't be compared with each other.
 */
export function openKeyedHash(key: string): KeyedHash {
  return (purpose, value) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, value]))
      .digest('base64url')
}

/** What stands for a person, an account or an address in the log: the same one is found again, and who it is can't be read. */
export function pseudonym(keyedHash: KeyedHash, value: string) {
  return keyedHash('log', value).slice(0, 16)
}
