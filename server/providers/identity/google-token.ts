import { sign } from 'node:crypto'
import type { Logger } from 'pino'
import { askGoogle } from './ask-google.ts'

export type ServiceAccount = { clientEmail: string; privateKey: string; tokenUri: string }

const scope = 'https://www.googleapis.com/auth/identitytoolkit'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** A token is renewed this long before it ends, so that none ends while a request is on its way. */
const margin = 5 * 60_000

/**
 * Returns a function that gives an OAuth access token of a service account: the same one until
 * shortly before it ends. Concurrent callers wait for one request.
 */
export function openGoogleToken(
  account: ServiceAccount,
  log: Logger,
  now: () => number = Date.now,
) {
  let token = ''
  let renewAt = 0
  let asking: Promise<void> | undefined

  async function renew() {
    const { accessToken, lifetime } = await exchange(account, now(), log)
    token = accessToken
    renewAt = now() + lifetime - margin
  }

  return async () => {
    if (now() >= renewAt) {
      asking ??= renew().finally(() => {
        asking = undefined
      })
      await asking
    }
    return token
  }
}

async function exchange(account: ServiceAccount, now: number, log: Logger) {
  const { status, body } = await askGoogle(account.tokenUri, {
    body: new URLSearchParams({ grant_type: grantType, assertion: assertion(account, now) }),
    log,
  })
  const answer = body as { access_token?: string; expires_in?: number; error?: string }
  if (status === 200 && answer.access_token)
    return { accessToken: answer.access_token, lifetime: (answer.expires_in ?? 0) * 1000 }
  throw new Error(
    `Google refused the service account: ${status} ${/^\w+$/.exec(String(answer.error))?.[0] ?? ''}`,
  )
}

/** RFC 7523: a JWT that the account has signed with its own key. */
function assertion({ clientEmail, privateKey, tokenUri }: ServiceAccount, now: number) {
  const iat = Math.floor(now / 1000)
  const claims = { iss: clientEmail, scope, aud: tokenUri, iat, exp: iat + 3600 }
  const content = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`
}
