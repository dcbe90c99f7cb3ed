import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { publicUrl, type Person } from './world.ts'

type Algorithm = 'ES256' | 'RS256' | 'EdDSA'
type Made = {
  algorithm?: Algorithm
  /** Several devices of its person have it. */
  synced?: boolean
  /** How often it was used, if the authenticator counts. */
  counter?: number
  /** Whether it verifies its person, by a finger or a PIN. */
  verifies?: boolean
  origin?: string
  rpId?: string
}
type Asked = { challenge: string; rpId?: string | undefined }

/** A passkey in an authenticator of our own, which follows WebAuthn without the server's library. */
export function aPasskey(made: Made = {}) {
  const { algorithm = 'ES256', synced = false, verifies = true } = made
  const { origin = publicUrl, rpId = 'localhost' } = made
  const { publicKey, privateKey } = newKeys(algorithm)
  const rawId = randomBytes(24)
  const id = rawId.toString('base64url')
  const state = { counter: made.counter ?? 0, verifies, origin, rpId }

  function data(flags: number, attested: Buffer = Buffer.alloc(0)) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(state.counter)
    const backup = synced ? 0x18 : 0
    const all = 0x01 | (state.verifies ? 0x04 : 0) | backup | flags
    const about = createHash('sha256').update(state.rpId).digest()
    return Buffer.concat([about, Buffer.from([all]), counter, attested])
  }

  function client(type: string, challenge: string) {
    // Browsers may add whatever they like.
    const text = { type, challenge, origin: state.origin, crossOrigin: false, other_keys: 'x' }
    return Buffer.from(JSON.stringify(text))
  }

  /** `clientExtensionResults` and `authenticatorAttachment` may be missing, others come. */
  const answer = (response: Record<string, Buffer | string[]>) => ({
    id,
    rawId: id,
    type: 'public-key',
    fromTheFuture: { any: ['thing'] },
    clientExtensionResults: {},
    response: Object.assign(
      {} as { clientDataJSON: string },
      Object.fromEntries(
        Object.entries(response).map(([name, value]) => [
          name,
          Buffer.isBuffer(value) ? value.toString('base64url') : value,
        ]),
      ),
    ),
  })

  return {
    id,
    state,

    /** Answers `options` of an enrollment. */
    create({ challenge }: Asked) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const key = cbor(coseKey(algorithm, publicKey))
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, key])
      const authData = data(0x40, attested)
      const attestationObject = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      const clientDataJSON = client('webauthn.create', challenge)
      return answer({ clientDataJSON, attestationObject, transports: ['internal', 'hybrid'] })
    },

    /** Answers `options` of a sign-in. */
    get({ challenge }: Asked, type = 'webauthn.get') {
      if (state.counter > 0 && !synced) state.counter++
      const authenticatorData = data(0)
      const clientDataJSON = client(type, challenge)
      const hash = createHash('sha256').update(clientDataJSON).digest()
      const signed = Buffer.concat([authenticatorData, hash])
      const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', signed, privateKey)
      return answer({ clientDataJSON, authenticatorData, signature })
    },
  }
}

/** Adds a passkey to a person's account. */
export async function addPasskey(person: Person, made?: Made) {
  const passkey = aPasskey(made)
  const { enrollmentId, options } = await person.does('startFactorEnrollment', { type: 'passkey' })
  const credential = passkey.create(options!)
  const { factor } = await person.does('finishFactorEnrollment', { enrollmentId, credential })
  return { ...passkey, factor }
}

function newKeys(algorithm: Algorithm) {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  return generateKeyPairSync('ed25519')
}

function coseKey(algorithm: Algorithm, publicKey: KeyObject) {
  const { x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  if (algorithm === 'ES256')
    return new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ])
  if (algorithm === 'RS256')
    return new Map<number, unknown>([
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ])
  return new Map<number, unknown>([
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, bytes(x)],
  ])
}

/** As RFC 8949 says, for what is needed here. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const map = value as Map<unknown, unknown>
  return Buffer.concat([head(5, map.size), ...Array.from(map).flat().map(cbor)])
}

function head(major: number, length: number) {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
