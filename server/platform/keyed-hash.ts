import { createHmac } from 'node:crypto'

export type KeyedHash = (purpose: string, value: string) => string

/** Nobody without the key can find out which value a hash is of. Each purpose has other hashes. */
export function openKeyedHash(key: string): KeyedHash {
  const ofLog = new Map<string, string>()
  const hash: KeyedHash = (purpose, value) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, value]))
      .digest('base64url')
  return (purpose, value) => {
    if (purpose !== 'log') return hash(purpose, value)
    // One visitor's requests come in rows, and each is logged with the same hashes.
    if (ofLog.size >= 1000) ofLog.clear()
    const known = ofLog.get(value) ?? hash(purpose, value)
    ofLog.set(value, known)
    return known
  }
}

/** The hash that stands for a user, an e-mail address or a network address in the log. */
export function pseudonym(keyedHash: KeyedHash, value: string) {
  return keyedHash('log', value).slice(0, 16)
}
