import { generateKeyPairSync, verify } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { anHttpServer } from '../../../../tests/http-server.ts'
import { openGoogleToken } from './google-token.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const client_email = 'server@my-project.iam.gserviceaccount.com'
const log = pino({ level: 'silent' })

test('a Google service account requests an access token with a JWT that it signs', async () => {
  const { giveToken, token_uri, asked } = await aGoogle(() => 1_700_000_000_500)
  expect(await giveToken()).toBe('token 1')
  const form = new URLSearchParams(asked[0]!.body)
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
  const [header, claims, signature] = form.get('assertion')!.split('.')
  expect(decoded(header!)).toEqual({ alg: 'RS256', typ: 'JWT' })
  expect(decoded(claims!)).toEqual({
    iss: client_email,
    scope: 'https://www.googleapis.com/auth/identitytoolkit',
    aud: token_uri,
    iat: 1_700_000_000,
    exp: 1_700_003_600,
  })
  const [signed, bytes] = [Buffer.from(`${header}.${claims}`), Buffer.from(signature!, 'base64url')]
  expect(verify('RSA-SHA256', signed, publicKey, bytes)).toBe(true)
})

test('concurrent callers share one request for a Google access token, which is cached until shortly before it expires', async () => {
  let now = 0
  const { giveToken, asked } = await aGoogle(() => now)
  const three = await Promise.all([giveToken(), giveToken(), giveToken()])
  expect(three).toEqual(['token 1', 'token 1', 'token 1'])
  now = 54 * 60_000
  expect(await giveToken()).toBe('token 1')
  now = 56 * 60_000
  expect(await Promise.all([giveToken(), giveToken()])).toEqual(['token 2', 'token 2'])
  expect(asked).toHaveLength(2)
})

test('the error of a refused request for a Google access token does not contain the request, which can be repeated', async () => {
  const refusal = { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }
  const { giveToken } = await aGoogle(Date.now, { status: 400, body: JSON.stringify(refusal) })
  await expect(giveToken()).rejects.toThrow(
    /^Google refused the service account: 400 invalid_grant$/,
  )
  expect(await giveToken()).toBe('token 1')
})

/** A stand-in for https://oauth2.googleapis.com/token. `first` replaces its first answer. */
async function aGoogle(now: () => number, first?: { status: number; body: string }) {
  let given = 0
  const { host, asked } = await anHttpServer(() => {
    if (first && asked.length === 1) return first
    const token = { access_token: `token ${++given}`, expires_in: 3599, token_type: 'Bearer' }
    return { status: 200, body: JSON.stringify(token) }
  })
  const token_uri = `http://${host}/token`
  const giveToken = openGoogleToken({ client_email, private_key, token_uri }, { log, fetch }, now)
  return { giveToken, token_uri, asked }
}

function decoded(part: string) {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown
}
