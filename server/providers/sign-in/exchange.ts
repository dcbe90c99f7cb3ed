import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  type AuthorizationCodeGrantChecks,
  type Configuration,
} from 'openid-client'
import { Refusal } from '../../platform/refusal.ts'

/** What providers call it when somebody says no. */
const cancelled: ReadonlySet<string> = new Set([
  'access_denied',
  'user_cancelled_authorize',
  'consent_required',
])

/** The tokens for the code in the answer. It is looked at only as an answer to where we asked for it. */
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
