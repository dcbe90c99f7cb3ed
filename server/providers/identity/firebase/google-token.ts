import { sign } from 'node:crypto'
import type { Logger } from 'pino'
import { Refusal } from '../../../platform/refusal.ts'
import type { ServiceAccount } from './settings.ts'

const scope = 'https://www.googleapis.com/auth/identitytoolkit'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** Milliseconds before its end at which a token is renewed: none expires during a request. */
const margin = 5 * 60_000
const patience = 10_000

/** `fetch` sends the requests. */
export type How = { log: Logger; fetch: typeof globalThis.fetch }

/** Gives the service account's token and reuses it. Concurrent callers share one request. */
export function openGoogleToken(account: ServiceAccount, by: How, now: () => number = Date.now) {
  let token = ''
  let renewAt = 0
  let renewing: Promise<void> | undefined

  async function renew() {
    const form = { grant_type: grantType, assertion: assertion(account, now()) }
    const { status, body } = await askGoogle(account.token_uri, {}, new URLSearchParams(form), by)
    const answer = body as { access_token?: string; expires_in?: number; error?: string }
    if (status !== 200 || !answer.access_token)
      throw new Error(
        `Google refused the service account: ${status} ${/^\w+$/.exec(String(answer.error))?.[0] ?? ''}`,
      )
    token = answer.access_token
    renewAt = now() + (answer.expires_in ?? 0) * 1000 - margin
  }

  return async () => {
    if (now() >= renewAt) {
      renewing ??= renew().finally(() => (renewing = undefined))
      await renewing
    }
    return token
  }
}

/** The JWT that proves the service account to Google (RFC 7523). */
function assertion({ client_email, private_key, token_uri }: ServiceAccount, now: number) {
  const iat = Math.floor(now / 1000)
  const claims = { iss: client_email, scope, aud: token_uri, iat, exp: iat + 3600 }
  const content = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), private_key).toString('base64url')}`
}

/** Logs the URL but no headers and bodies, which hold keys and passwords. */
export async function askGoogle(
  url: string,
  headers: Record<string, string>,
  body: string | URLSearchParams,
  { log, fetch }: How,
): Promise<{ status: number; body: unknown }> {
  try {
    const signal = AbortSignal.timeout(patience)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal })
    return { status: response.status, body: await response.json() }
  } catch (error) {
    const { name, cause } = error as { name?: string; cause?: { code?: string } }
    log.warn({ url, why: cause?.code ?? name }, 'the identity provider did not answer')
    throw new Refusal('unavailable')
  }
}
