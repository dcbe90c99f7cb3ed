import { verifySync } from '@node-rs/argon2'
import { compareSync } from 'bcryptjs'
import { createCipheriv, scryptSync, timingSafeEqual } from 'node:crypto'

/**
 * Whether a stored hash is that of the password. New hashes are argon2id; the others came with
 * people from elsewhere: `moved-hashes.ts` has their forms. Takes long.
 */
export function isHashOf(hash: string, password: string) {
  if (hash.startsWith('$argon2')) return verifySync(hash, password)
  // Takes the first 72 bytes of a longer password, as the system that made the hash did.
  if (hash.startsWith('$2')) return compareSync(password, hash)
  const scrypt = readScrypt(hash)
  return scrypt !== undefined && isScryptOf(scrypt, password)
}

export type Scrypt = {
  cost: number
  blockSize: number
  parallelism: number
  salt: Buffer
  hash: Buffer
  /** Of Firebase, which encrypts its signer key with what scrypt gives. */
  signerKey?: Buffer
}

const base64 = '[A-Za-z0-9+/]+'
const scryptForm = new RegExp(
  `^\\$(?:firebase-)?scrypt\\$ln=(\\d{1,2}),r=(\\d{1,4}),p=(\\d{1,4})(?:,sep=(${base64}),key=(${base64}))?\\$(${base64})\\$(${base64})$`,
)

/** Reads a hash by scrypt. Undefined if it is none. */
export function readScrypt(text: string): Scrypt | undefined {
  const [, ln, r, p, separator, key, ownSalt, hash] = scryptForm.exec(text) ?? []
  if (ownSalt === undefined || text.startsWith('$firebase-') !== (key !== undefined))
    return undefined
  const salt = Buffer.concat([bytesOf(ownSalt), bytesOf(separator ?? '')])
  return {
    cost: 2 ** Number(ln),
    blockSize: Number(r),
    parallelism: Number(p),
    salt,
    hash: bytesOf(hash!),
    ...(key !== undefined && { signerKey: bytesOf(key) }),
  }
}

function isScryptOf(
  { cost, blockSize, parallelism, salt, hash, signerKey }: Scrypt,
  password: string,
) {
  const length = signerKey ? 32 : hash.length
  const maxmem = 128 * blockSize * (cost + parallelism + 2)
  const derived = scryptSync(password, salt, length, {
    cost,
    blockSize,
    parallelization: parallelism,
    maxmem,
  })
  const found = signerKey ? encrypted(signerKey, derived) : derived
  return found.length === hash.length && timingSafeEqual(found, hash)
}

/** See https://github.com/firebase/scrypt. */
function encrypted(signerKey: Buffer, key: Buffer) {
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(signerKey)
}

function bytesOf(text: string) {
  return Buffer.from(text, 'base64')
}
