import { signInProviders } from '#config/sign-in-providers.ts'
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { whyNotWith } from '../../../tests/refusal-of.ts'
import { readEnv } from '../../running/env.ts'

const google = { GOOGLE_CLIENT_ID: 'an-id', GOOGLE_CLIENT_SECRET: 'a-secret' }
const oidc = {
  OIDC_ISSUER: 'https://login.example.com/',
  OIDC_CLIENT_ID: 'an-id',
  OIDC_CLIENT_SECRET: 'a-secret',
}
const apple = { APPLE_CLIENT_ID: 'an-id', APPLE_TEAM_ID: 'TEAM', APPLE_KEY_ID: 'KEY' }

test('the settings of each sign-in provider come from environment variables that begin with its name', () => {
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
  'the sign-in provider %s needs all of its environment variables or none',
  (name) => {
    const variable = `${name.toUpperCase()}_CLIENT_ID`
    const why = whyNotWith({ [variable]: 'an-id' })
    expect(why).toMatch(new RegExp(`^${variable}(,| and) .*belong together`))
  },
)

test.each([
  [{ GITHUB_CLIENT_SECRET: 'hunter2' }, 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET'],
  [apple, 'APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID and APPLE_PRIVATE_KEY'],
  [{ ...oidc, OIDC_CLIENT_SECRET: '' }, 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'],
])(
  'incomplete settings of a sign-in provider are refused with a message that does not contain them: %j',
  (environment, names) => {
    expect(whyNotWith(environment)).toBe(`${names} belong together. Set all of them, or none.`)
  },
)

test.each([
  'http://login.example.com',
  'http://127.example.com',
  'ftp://login.example.com',
  'login.example.com',
])(
  'a sign-in provider’s issuer %s is refused, because it must have an https URL or be on this machine',
  (address) => {
    const why = whyNotWith({ ...oidc, OIDC_ISSUER: address })
    expect(why).toMatch(/^OIDC_ISSUER must be an address like https:/)
    expect(whyNotWith({ ...google, GOOGLE_ISSUER: address })).toMatch(/^GOOGLE_ISSUER must be/)
  },
)

test.each([
  'http://localhost:4000',
  'http://127.0.0.1:4000',
  'http://[::1]:4000',
  'https://login.example.com/realms/one/',
])('a sign-in provider’s issuer may be %s', (address) => {
  expect(readEnv({ ...oidc, OIDC_ISSUER: address }).signIn['oidc']!['issuer']).toBe(address)
})

test('an Apple private key that can’t sign is refused with a message that does not contain the key', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  for (const key of ['hunter2', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()]) {
    const why = whyNotWith({ ...apple, APPLE_PRIVATE_KEY: key })
    expect(why).toMatch(/^APPLE_PRIVATE_KEY must be the \.p8 key/)
    expect(why).not.toContain(key)
  }
})
