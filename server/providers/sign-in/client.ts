import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretPost,
  type AuthorizationCodeGrantChecks,
  type ClientAuth,
  type Configuration,
} from 'openid-client'
import { isLoopback } from '../../platform/networks.ts'
import { Refusal } from '../../platform/refusal.ts'

/** The errors that providers answer with when the person says no. */
const cancelled = new Set(['access_denied', 'user_cancelled_authorize', 'consent_required'])

/** The tokens for the code in the answer, which counts only as an answer to `redirectUri`. */
export async function exchange(
  config: Configuration,
  redirectUri: string,
  answer: URLSearchParams,
  checks: AuthorizationCodeGrantChecks,
) {
  const url = new URL(redirectUri)
  url.search = answer.toString()
  try {
    return await authorizationCodeGrant(config, url, checks)
  } catch (error) {
    if (error instanceof AuthorizationResponseError && cancelled.has(error.error))
      throw new Refusal('auth/user-cancelled')
    throw error
  }
}

/** Whether secrets may be sent there: over TLS, or without leaving this machine. */
export function isSafe(address: string) {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Lets the library use plain http, where a safe address has it. Throws for an unsafe address. */
export function transportTo(address: string): ((config: Configuration) => void)[] {
  if (!isSafe(address)) throw new Error(`${address} is not an address to send secrets to`)
  return new URL(address).protocol === 'http:' ? [allowInsecureRequests] : []
}

/** As the standard says. The library escapes more than that, which some providers don't undo. */
export function secretInHeader(clientSecret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${escape(client_id)}:${escape(clientSecret)}`)}`)
  }
}

/** In the header, unless the issuer says that it only knows another way. */
export function secretAsSupported(clientSecret: string): ClientAuth {
  const [header, body] = [secretInHeader(clientSecret), ClientSecretPost(clientSecret)]
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: supported } = server
    return !supported || supported.includes('client_secret_basic')
      ? header(server, ...rest)
      : body(server, ...rest)
  }
}

function escape(text: string) {
  return new URLSearchParams({ text }).toString().slice('text='.length)
}
