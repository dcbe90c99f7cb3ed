import { createHmac, createSecretKey } from 'node:crypto'

export type KeyedHash = (purpose: string, value: string) => string

/** Nobody without the key can find out which value a hash is of. Each purpose has other hashes. */
export function openKeyedHash(key: string): KeyedHash {
  // Node reads a key anew for every use, unless it is an object.
  const secret = createSecretKey(key, 'utf8')
  return (purpose, value) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, value]))
      .digest('base64url')
}

/** The hash that stands for a user, an e-mail address or a network address in the log. */
export function pseudonym(keyedHash: KeyedHash, value: string) {
  return keyedHash('log', value).slice(0, 16)
}
