import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  Configuration,
  fetchProtectedResource,
  type ClientAuth,
} from 'openid-client'
import { exchange } from './exchange.ts'
import type { ProviderAccount, SignInProvider } from './sign-in-provider.ts'
import { transportTo } from './transport.ts'

/** Asks the provider's API in the name of the person who has come back. */
type Ask = (url: string) => Promise<unknown>

export type OAuthOptions = {
  label: string
  /** Where people sign in, and where the code is exchanged. */
  authorizationEndpoint: string
  tokenEndpoint: string
  /** What the provider calls itself if it says so in its answer. */
  issuer?: string
  clientId: string
  clientAuth: ClientAuth
  redirectUri: string
  scope: string
  fresh?: Record<string, string>
  account: (ask: Ask, accessToken: string) => Promise<ProviderAccount>
}

/** OAuth 2 with PKCE, for providers that each say in their own way who has come. */
export function openOAuth(options: OAuthOptions): SignInProvider {
  const {
    label,
    authorizationEndpoint,
    tokenEndpoint,
    clientId,
    clientAuth,
    redirectUri,
    scope,
    fresh,
    account,
  } = options
  const config = new Configuration(
    {
      issuer: options.issuer ?? new URL(authorizationEndpoint).origin,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
    },
    clientId,
    undefined,
    clientAuth,
  )
  config.timeout = 10
  for (const endpoint of [authorizationEndpoint, tokenEndpoint])
    for (const prepare of transportTo(endpoint)) prepare(config)

  async function ask(url: string, accessToken: string): Promise<unknown> {
    const response = await fetchProtectedResource(
      config,
      accessToken,
      new URL(url),
      'GET',
      null,
      new Headers({ accept: 'application/json' }),
    )
    if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`)
    return response.json()
  }

  return {
    label,
    postsAnswer: false,

    async authorizationUrl({ state, verifier, fresh: isFresh }) {
      return buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isFresh && fresh),
      })
    },

    async findAccount({ state, verifier }, answer) {
      const { access_token } = await exchange(config, redirectUri, answer, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      })
      return account((url) => ask(url, access_token), access_token)
    },
  }
}
