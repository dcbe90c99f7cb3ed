import { readScrypt } from './stored-hashes.ts'

/** The form in which another system's hash of a password is stored, or why it can't be. */
type Moved = { hash: string } | { problem: string }

/**
 * What one check may cost, in the units of each kind: about half a second of a processor. Whoever
 * knows an address could otherwise keep the threads that check passwords busy.
 */
const most = { bcrypt: 12, argon2Memory: 131_072, argon2: 262_144, scrypt: 2 ** 20 }

const unreadable =
  'This is no hash that can be checked. Hashes begin with $2a$, $2b$ or $2y$ (bcrypt), $argon2id$ or $argon2i$, $scrypt$ or $firebase-scrypt$, or are salt:hash in hex (Better Auth).'

/**
 * Takes bcrypt, argon2, scrypt and Firebase's scrypt with their parameters in the text, and what
 * Better Auth stores, whose parameters are always the same.
 */
export function toStoredHash(given: string): Moved {
  const text = ofBetterAuth(given) ?? given
  const problem = problemOf(text)
  return problem === undefined ? { hash: text } : { problem }
}

function problemOf(text: string) {
  const [, bcrypt] = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(text) ?? []
  if (bcrypt !== undefined)
    return Number(bcrypt) < 4 || Number(bcrypt) > most.bcrypt
      ? `bcrypt’s cost is ${Number(bcrypt)}, and must be from 4 to ${most.bcrypt}.`
      : undefined
  const [, ...argon2] =
    /^\$argon2id?\$v=19\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,88}\$[A-Za-z0-9+/]{22,86}$/.exec(
      text,
    ) ?? []
  if (argon2.length > 0) {
    const [memory, passes, lanes] = argon2.map(Number) as [number, number, number]
    if (!text.split('$').slice(-2).every(isBase64)) return unreadable
    const isPossible = lanes >= 1 && passes >= 1 && memory >= 8 * lanes
    return !isPossible || memory > most.argon2Memory || memory * passes > most.argon2
      ? `argon2’s m is ${memory} and its t is ${passes}: m must be at most ${most.argon2Memory}, and m times t at most ${most.argon2}.`
      : undefined
  }
  const scrypt = readScrypt(text)
  if (!scrypt) return unreadable
  const { cost, blockSize, parallelism, hash, signerKey } = scrypt
  const work = cost * blockSize * parallelism
  if (work > most.scrypt || work === 0 || cost === 1)
    return `scrypt’s N times r times p is ${work}, and must be at most ${most.scrypt}, with N at least 2.`
  if (hash.length < 16 || hash.length > 128 || (signerKey && signerKey.length !== hash.length))
    return 'The hash has the wrong length for its kind.'
  return undefined
}

/** Better Auth hashes with the letters of the salt, not with the bytes that they stand for. */
function ofBetterAuth(text: string) {
  const [, salt, hash] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(text) ?? []
  if (salt === undefined) return undefined
  return `$scrypt$ln=14,r=16,p=1$${inBase64(Buffer.from(salt))}$${inBase64(Buffer.from(hash!, 'hex'))}`
}

/** The parameters of a Firebase project, as its console shows them. */
export type FirebaseHashing = {
  signerKey: string
  saltSeparator: string
  rounds: number
  memoryCost: number
}

/** The hash of one account of a Firebase export, with what it takes to check it. */
export function firebaseHash(
  { hash, salt }: { hash: string; salt: string },
  { signerKey, saltSeparator, rounds, memoryCost }: FirebaseHashing,
) {
  const [separator, key, ownSalt, ownHash] = [saltSeparator, signerKey, salt, hash].map((text) =>
    inBase64(Buffer.from(text, 'base64')),
  )
  return `$firebase-scrypt$ln=${memoryCost},r=${rounds},p=1,sep=${separator},key=${key}$${ownSalt}$${ownHash}`
}

/** The library that checks argon2 reads nothing else, and fails. */
function isBase64(text: string) {
  return inBase64(Buffer.from(text, 'base64')) === text
}

/** As in the PHC string format: without padding. */
function inBase64(bytes: Buffer) {
  return bytes.toString('base64').replaceAll('=', '')
}
