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

/** The error codes with which providers answer when the person declines. */
const cancelled = new Set(['access_denied', 'user_cancelled_authorize', 'consent_required'])

/** Gets the tokens. Refuses with `auth/user-cancelled` if the person declined at the provider. */
export async function exchangeCode(
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

/** Whether secrets may be sent to this address: it uses https, or leads to this machine. */
export function isSafe(address: string) {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Returns hooks for openid-client to use http for a safe address. Throws for an unsafe one. */
export function transportTo(address: string): ((config: Configuration) => void)[] {
  if (!isSafe(address)) throw new Error(`${address} is not an address to send secrets to`)
  return new URL(address).protocol === 'http:' ? [allowInsecureRequests] : []
}

/** Sends the secret in a header, escaped as the standard says: some providers don't undo more. */
export function secretInHeader(clientSecret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${escape(client_id)}:${escape(clientSecret)}`)}`)
  }
}

/** Sends the secret in the body only if the issuer says that it does not support the header. */
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
