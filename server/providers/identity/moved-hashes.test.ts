import { expect, test } from 'vitest'
import { firebaseHash, toStoredHash } from './moved-hashes.ts'
import { isHashOf } from './stored-hashes.ts'

/** The example of https://github.com/firebase/scrypt. */
const ofFirebase = firebaseHash(
  {
    hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    salt: '42xEC+ixf3L2lw==',
  },
  {
    signerKey:
      'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    saltSeparator: 'Bw==',
    rounds: 8,
    memoryCost: 14,
  },
)

const long =
  '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored'

// Made by other programs than the ones that check them here.
const byOthers = [
  ['Firebase', ofFirebase, 'user1password'],
  ['bcrypt of 1998', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  ['bcrypt in Rust', '$2b$10$Bu8I/JhHuEqTn60ojdxQJOoUCng7HMtbBxHwK1KWqRXWuHRSZ5XMa', 'pässwörter'],
  [
    'scrypt of Python',
    '$scrypt$ln=15,r=8,p=2$c2FsdHNhbHRzYWx0c2FsdA$vFa4f3kzBzA9sXzBmyrnMzoj6UqvEOr2y8SKf87LY/I',
    'correct horse',
  ],
  [
    'argon2i of its authors',
    '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
    'password',
  ],
  [
    'argon2id of its authors',
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    'password',
  ],
  [
    'Better Auth',
    '40fc4df0018967c2fe30fe64a2128dea:d1d53455c5216ec9c067301eaef03225b3a6da20b43b585bca9e9c5addb0f76905904fe2c79b303bba0d0106593e491413c4c5ef70021b5d70d3ac0fc5c6fa59',
    'ﬁsch und pässe'.normalize('NFKC'),
  ],
] as const

test.each(byOthers)(
  'a hash by %s is that of its password, and of no other',
  (_, hash, password) => {
    const stored = hashOf(toStoredHash(hash))
    expect(isHashOf(stored, password)).toBe(true)
    expect(isHashOf(stored, `${password}x`)).toBe(false)
  },
)

test('bcrypt takes the first 72 bytes of a longer password', () => {
  const hash = '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'
  expect(isHashOf(hash, long)).toBe(true)
  expect(isHashOf(hash, `${long.slice(0, 72)} and anything`)).toBe(true)
  expect(isHashOf(hash, long.slice(0, 71))).toBe(false)
})

const end = '$c2FsdHNhbHRzYWx0c2FsdA$vFa4f3kzBzA9sXzBmyrnMzoj6UqvEOr2y8SKf87LY/I'

test.each([
  [
    'scrypt with N of a billion',
    `$scrypt$ln=30,r=8,p=1${end}`,
    'scrypt’s N times r times p is 8589934592',
  ],
  ['scrypt without blocks', `$scrypt$ln=14,r=0,p=1${end}`, 'scrypt’s N times r times p is 0'],
  ['scrypt with many lanes', `$scrypt$ln=14,r=8,p=9999${end}`, 'scrypt’s N times r times p is'],
  ['Firebase’s without a key', `$firebase-scrypt$ln=14,r=8,p=1${end}`, 'This is no hash'],
  [
    'Firebase’s with half a key',
    ofFirebase.replace('key=jxsp', 'key='),
    'The hash has the wrong length',
  ],
  [
    'Firebase’s that is dear',
    ofFirebase.replace('ln=14', 'ln=24'),
    'scrypt’s N times r times p is',
  ],
  [
    'bcrypt that is dear',
    '$2b$20$Bu8I/JhHuEqTn60ojdxQJOoUCng7HMtbBxHwK1KWqRXWuHRSZ5XMa',
    'bcrypt’s cost is 20',
  ],
  ['half of bcrypt', '$2b$10$Bu8I/JhHuEqTn60', 'This is no hash'],
  ['argon2 with 4 GiB', `$argon2id$v=19$m=4194304,t=1,p=1${end}`, 'argon2’s m is 4194304'],
  ['argon2 with many passes', `$argon2id$v=19$m=65536,t=999999,p=1${end}`, 'its t is 999999'],
  [
    'argon2 with a part missing',
    `$argon2id$v=19$m=1024,t=1,p=1${end.slice(0, -1)}`,
    'This is no hash',
  ],
  ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99', 'This is no hash'],
  ['nothing', '', 'This is no hash'],
])('%s is refused in a sentence', (_, hash, problem) => {
  expect(toStoredHash(hash)).toEqual({ problem: expect.stringContaining(problem) })
})

function hashOf(moved: ReturnType<typeof toStoredHash>) {
  if ('problem' in moved) throw new Error(moved.problem)
  return moved.hash
}
