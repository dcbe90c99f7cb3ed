import { createPrivateKey, sign } from 'node:crypto'
import type { ClientAuth } from 'openid-client'
import { StartError } from '../../../platform/start-error.ts'
import { openOidc } from '../oidc.ts'
import type { Client, SignInModule } from '../sign-in-provider.ts'

const issuer = 'https://appleid.apple.com'
const settings = ['clientId', 'teamId', 'keyId', 'privateKey'] as const
const lifetime = 5 * 60

/** Sign in with Apple: https://developer.apple.com/documentation/signinwithapplerestapi */
export const provider: SignInModule<(typeof settings)[number]> = {
  settings,
  check: ({ privateKey }) => void readKey(privateKey),
  open: (client) =>
    openOidc(client, {
      label: 'Apple',
      issuer,
      clientAuth: signedSecret(client),
      parameters: { scope: 'openid name email' },
      fresh: {},
      pkce: false,
      // Apple posts its answer as a form if we ask for a name or an address.
      postsAnswer: true,
      isVerified: ({ email_verified }) =>
        email_verified === true || (email_verified as unknown) === 'true',
      nameIn,
    }),
}

/** `\n` counts as a line break, because not every environment can hold several lines. */
function readKey(text: string) {
  try {
    const key = createPrivateKey(text.replaceAll('\\n', '\n'))
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Drops the original error, which may contain the key.
  }
  throw new StartError(
    'APPLE_PRIVATE_KEY must be the .p8 key that Apple gave you. Correct it in the environment and start again.',
  )
}

/** Apple has no fixed client secret. Each request carries a secret that we sign (ES256). */
function signedSecret({
  clientId,
  teamId,
  keyId,
  privateKey,
  issuer: aud = issuer,
}: Client<(typeof settings)[number]>): ClientAuth {
  const key = readKey(privateKey)
  return (_server, _client, body) => {
    const iat = Math.floor(Date.now() / 1000)
    const claims = { iss: teamId, iat, exp: iat + lifetime, aud, sub: clientId }
    const unsigned = [{ alg: 'ES256', kid: keyId, typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const signature = sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' })
    body.set('client_id', clientId)
    body.set('client_secret', `${unsigned}.${signature.toString('base64url')}`)
  }
}

/** Reads the name, which Apple sends only when the person signs in for the first time. */
function nameIn(answer: URLSearchParams) {
  try {
    const { firstName, lastName } = (JSON.parse(answer.get('user') ?? '{}') as AppleUser).name ?? {}
    return [firstName, lastName].filter((part) => typeof part === 'string').join(' ') || undefined
  } catch {
    return undefined
  }
}

type AppleUser = { name?: { firstName?: unknown; lastName?: unknown } }
