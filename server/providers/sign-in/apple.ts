import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import type { ClientAuth } from 'openid-client'
import { openOidc } from './oidc.ts'
import type { AppleSettings } from './settings.ts'

const lifetime = 5 * 60

/** https://developer.apple.com/documentation/signinwithapplerestapi */
export function openApple(
  { issuer = 'https://appleid.apple.com', clientId, teamId, keyId, privateKey }: AppleSettings,
  redirectUri: string,
) {
  const key = createPrivateKey(privateKey)
  const clientAuth: ClientAuth = (_server, _client, body) => {
    body.set('client_id', clientId)
    body.set(
      'client_secret',
      clientSecret({ audience: issuer, clientId, teamId, keyId, key, now: Date.now() / 1000 }),
    )
  }
  return openOidc({
    label: 'Apple',
    issuer,
    clientId,
    clientAuth,
    redirectUri,
    parameters: { scope: 'openid name email' },
    fresh: {},
    pkce: false,
    // Apple's answer has to be a form as soon as a name or an address is asked for.
    postsAnswer: true,
    isVerified: ({ email_verified }) =>
      email_verified === true || (email_verified as unknown) === 'true',
    nameIn,
  })
}

type ClientSecret = {
  audience: string
  clientId: string
  teamId: string
  keyId: string
  key: KeyObject
  now: number
}

/** Apple has no client secrets but those that one signs oneself (ES256). */
function clientSecret({ audience, clientId, teamId, keyId, key, now }: ClientSecret) {
  const issuedAt = Math.floor(now)
  const claims = {
    iss: teamId,
    iat: issuedAt,
    exp: issuedAt + lifetime,
    aud: audience,
    sub: clientId,
  }
  const unsigned = [{ alg: 'ES256', kid: keyId, typ: 'JWT' }, claims].map(encode).join('.')
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

function encode(part: object) {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** It is told once, beside the token, when somebody signs in for the first time. */
function nameIn(answer: URLSearchParams) {
  try {
    const { firstName, lastName } = (JSON.parse(answer.get('user') ?? '{}') as AppleUser).name ?? {}
    return [firstName, lastName].filter((part) => typeof part === 'string').join(' ') || undefined
  } catch {
    return undefined
  }
}

type AppleUser = { name?: { firstName?: unknown; lastName?: unknown } }
