import { createHash, hash, randomBytes, randomInt } from 'node:crypto'

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
export function newToken() {
  return randomBytes(32).toString('base64url')
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
