import { generateKeyPairSync, verify } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { anHttpServer } from '../../../tests/http-server.ts'
import { openGoogleToken } from './google-token.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const client_email = 'atrium@my-project.iam.gserviceaccount.com'
const log = pino({ level: 'silent' })

test('a service account authenticates with a JWT that it signs', async () => {
  const google = await aTokenEndpoint()
  const token = openGoogleToken(
    { client_email, private_key, token_uri: google.url },
    log,
    () => 1_700_000_000_500,
  )
  expect(await token()).toBe('token 1')
  const form = new URLSearchParams(google.asked[0]!.body)
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
  const [header, claims, signature] = form.get('assertion')!.split('.')
  expect(decoded(header!)).toEqual({ alg: 'RS256', typ: 'JWT' })
  expect(decoded(claims!)).toEqual({
    iss: client_email,
    scope: 'https://www.googleapis.com/auth/identitytoolkit',
    aud: google.url,
    iat: 1_700_000_000,
    exp: 1_700_003_600,
  })
  expect(
    verify(
      'RSA-SHA256',
      Buffer.from(`${header}.${claims}`),
      publicKey,
      Buffer.from(signature!, 'base64url'),
    ),
  ).toBe(true)
})

test('concurrent callers share one token request, and the token is kept until shortly before it ends', async () => {
  const google = await aTokenEndpoint()
  let now = 0
  const token = openGoogleToken(
    { client_email, private_key, token_uri: google.url },
    log,
    () => now,
  )
  expect(await Promise.all([token(), token(), token()])).toEqual(['token 1', 'token 1', 'token 1'])
  now = 54 * 60_000
  expect(await token()).toBe('token 1')
  now = 56 * 60_000
  expect(await Promise.all([token(), token()])).toEqual(['token 2', 'token 2'])
  expect(google.asked).toHaveLength(2)
})

test('a refused token request is reported without its content and can be repeated', async () => {
  const google = await aTokenEndpoint()
  const token = openGoogleToken({ client_email, private_key, token_uri: google.url }, log)
  google.refuseNext()
  await expect(token()).rejects.toThrow(/^Google refused the service account: 400 invalid_grant$/)
  expect(await token()).toBe('token 1')
})

/** Stands for https://oauth2.googleapis.com/token. */
async function aTokenEndpoint() {
  let given = 0
  let refuse = false
  const { host, asked } = await anHttpServer(() => {
    const refused = refuse
    refuse = false
    if (refused)
      return {
        status: 400,
        body: JSON.stringify({
          error: 'invalid_grant',
          error_description: 'Invalid JWT Signature.',
        }),
      }
    return {
      status: 200,
      body: JSON.stringify({
        access_token: `token ${++given}`,
        expires_in: 3599,
        token_type: 'Bearer',
      }),
    }
  })
  return {
    url: `http://${host}/token`,
    asked,
    refuseNext() {
      refuse = true
    },
  }
}

function decoded(part: string) {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown
}
