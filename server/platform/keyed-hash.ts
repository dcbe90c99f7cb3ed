import { createHmac } from 'node:crypto'

export type KeyedHash = (purpose: string, value: string) => string

/** Nobody without the key can find out which value a hash is of. Each purpose has other hashes. */
export function openKeyedHash(key: string): KeyedHash {
  return (purpose, value) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, value]))
      .digest('base64url')
}

/** The hash that stands for a user, an e-mail address or a network address in the log. */
export function pseudonym(keyedHash: KeyedHash, value: string) {
  return keyedHash('log', value).slice(0, 16)
}
