import { signInProviders } from '#config/sign-in-providers.ts'
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readEnv } from '../../start/env.ts'
import { StartError } from '../../platform/start-error.ts'

const google = { GOOGLE_CLIENT_ID: 'an-id', GOOGLE_CLIENT_SECRET: 'a-secret' }
const oidc = {
  OIDC_ISSUER: 'https://login.example.com/',
  OIDC_CLIENT_ID: 'an-id',
  OIDC_CLIENT_SECRET: 'a-secret',
}
const apple = { APPLE_CLIENT_ID: 'an-id', APPLE_TEAM_ID: 'TEAM', APPLE_KEY_ID: 'KEY' }

test('each provider reads variables of its own name', () => {
  expect(readEnv({ ...google, GITHUB_CLIENT_ID: '' }).signIn).toEqual({
    google: { clientId: 'an-id', clientSecret: 'a-secret' },
  })
  expect(readEnv({ ...oidc, OIDC_NAME: 'Example Inc.' }).signIn['oidc']).toEqual({
    issuer: 'https://login.example.com',
    clientId: 'an-id',
    clientSecret: 'a-secret',
    name: 'Example Inc.',
  })
})

test.each(Object.keys(signInProviders))(
  '%s is configured by all of its variables or none',
  (name) => {
    const variable = `${name.toUpperCase()}_CLIENT_ID`
    expect(refusal({ [variable]: 'an-id' })).toMatch(
      new RegExp(`^${variable}, .*belong together|^${variable} and `),
    )
  },
)

test.each([
  [{ GOOGLE_CLIENT_ID: 'an-id' }, /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together/],
  [
    { GITHUB_CLIENT_SECRET: 'hunter2' },
    /GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together/,
  ],
  [apple, /APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID and APPLE_PRIVATE_KEY belong together/],
  [
    { ...oidc, OIDC_CLIENT_SECRET: '' },
    /OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together/,
  ],
])(
  'an incomplete configuration is refused, and the message names no secret',
  (environment, message) => {
    expect(refusal(environment)).toMatch(message)
    expect(refusal(environment)).not.toContain('hunter2')
  },
)

test.each([
  'http://login.example.com',
  'http://127.example.com',
  'ftp://login.example.com',
  'login.example.com',
])('an issuer at %s is refused, because secrets would be sent to it', (address) => {
  expect(refusal({ ...oidc, OIDC_ISSUER: address })).toMatch(
    /^OIDC_ISSUER must be an address like https:/,
  )
  expect(refusal({ ...google, GOOGLE_ISSUER: address })).toMatch(/^GOOGLE_ISSUER must be/)
})

test.each([
  'http://localhost:4000',
  'http://127.0.0.1:4000',
  'http://[::1]:4000',
  'https://login.example.com/realms/one/',
])('an issuer may be %s', (address) => {
  expect(readEnv({ ...oidc, OIDC_ISSUER: address }).signIn['oidc']!['issuer']).toBe(address)
})

test('a key of Apple’s that can’t sign is refused, and the message does not repeat it', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  for (const key of ['hunter2', rsa]) {
    expect(refusal({ ...apple, APPLE_PRIVATE_KEY: key })).toMatch(
      /^APPLE_PRIVATE_KEY must be the \.p8 key/,
    )
    expect(refusal({ ...apple, APPLE_PRIVATE_KEY: key })).not.toContain(key)
  }
})

function refusal(environment: Record<string, string | undefined>) {
  try {
    readEnv(environment)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  return 'nothing was refused'
}
