import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import type { KeyedHash } from './keyed-hash.ts'

/** What is sealed or signed. Each purpose has keys of its own: nothing made for one fits another. */
type Purpose = Sealed | Signed | 'fingerprint'
export type Sealed =
  | 'mailed code'
  | 'kept mail'
  | 'payment'
  | 'factor'
  | 'join link'
  | 'webhook'
  | 'unsubscribe'
type Signed = 'device' | 'quote' | 'refresh token' | 'remembered browser'

export type Secrets = ReturnType<typeof openSecrets>

const ofFormerVersions = new Set<Signed>(['device', 'refresh token'])
const leastBytes = 32
const mark = 'sealed:'
const cipher = 'aes-256-gcm'
const nonceLength = 12
const options = { authTagLength: 16 }

/** The keys in a text like SECRET_KEY's, by commas. Undefined if one is malformed or too short. */
export function parseKeys(text: string) {
  const keys = text.split(',').map((key) => parseKey(key.trim()))
  return keys.every((key) => key !== undefined) ? keys : undefined
}

/** Digits of hex are never read as base64, which would take 24 bytes for 36. */
function parseKey(text: string) {
  const isHex = /^[0-9a-f]+$/i.test(text)
  if (!isHex && !/^[\w+/-]+={0,2}$/.test(text)) return undefined
  const key = Buffer.from(text, isHex ? 'hex' : 'base64')
  return key.length >= leastBytes ? key : undefined
}

export function newKey() {
  return randomBytes(leastBytes).toString('base64')
}

/**
 * Seals and signs with the first key, and opens and accepts what any of them has made. `former`
 * signed device marks and the successors of refresh tokens before there were these keys.
 */
export function openSecrets(keys: Buffer[], former?: KeyedHash) {
  const derived = new Map<Purpose, KeyObject[]>()

  function keysFor(purpose: Purpose) {
    const known =
      derived.get(purpose) ??
      // Node reads a key anew for every use, unless it is an object.
      keys.map((key) => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', purpose, 32))))
    derived.set(purpose, known)
    return known
  }

  /** All signatures of a value that are accepted, the one of `sign` first. */
  function signatures(purpose: Signed, value: string) {
    const own = keysFor(purpose).map((key) => macOf(key, value))
    return former && ofFormerVersions.has(purpose) ? [...own, former(purpose, value)] : own
  }

  return {
    /** A name for each key, which tells nothing about it. */
    fingerprints: keysFor('fingerprint').map((key) => macOf(key, '').slice(0, 22)),

    seal(purpose: Sealed, text: string) {
      const nonce = randomBytes(nonceLength)
      const sealing = createCipheriv(cipher, keysFor(purpose)[0]!, nonce, options)
      const sealed = [nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]
      return mark + Buffer.concat(sealed).toString('base64url')
    },

    /** The text that was sealed; undefined if none of the keys has sealed it. */
    open(purpose: Sealed, sealed: string) {
      const bytes = bytesOf(sealed)
      return keysFor(purpose)
        .map((key) => opened(key, bytes))
        .find((text) => text !== undefined)
    },

    /** The text sealed with the first key, if a former one has sealed it; else undefined. */
    reseal(purpose: Sealed, sealed: string) {
      const [first] = keysFor(purpose)
      const text = opened(first!, bytesOf(sealed)) === undefined && this.open(purpose, sealed)
      return text === false || text === undefined ? undefined : this.seal(purpose, text)
    },

    signatures,

    sign: (purpose: Signed, value: string) => signatures(purpose, value)[0]!,

    isSigned: (purpose: Signed, value: string, signature: string) =>
      signatures(purpose, value).some((right) => isSame(right, signature)),
  }
}

/** Whether a text is sealed, by whichever key. */
export function isSealed(text: string) {
  return text.startsWith(mark)
}

function bytesOf(sealed: string) {
  return Buffer.from(sealed.slice(mark.length), 'base64url')
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(one: string, other: string) {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

function macOf(key: KeyObject, value: string) {
  return createHmac('sha256', key).update(value).digest('base64url')
}

function opened(key: KeyObject, bytes: Buffer) {
  try {
    const [nonce, tag] = [bytes.subarray(0, nonceLength), bytes.subarray(-options.authTagLength)]
    const opening = createDecipheriv(cipher, key, nonce, options).setAuthTag(tag)
    const text = opening.update(bytes.subarray(nonceLength, -options.authTagLength))
    return Buffer.concat([text, opening.final()]).toString()
  } catch {
    return undefined
  }
}
