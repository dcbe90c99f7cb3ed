import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  Configuration,
  customFetch,
  fetchProtectedResource,
  type ClientAuth,
} from 'openid-client'
import { exchangeCode, transportTo } from './client.ts'
import type { Client, ProviderAccount, SignInProvider } from './sign-in-provider.ts'

export type OAuthOptions = {
  label: string
  /** People sign in at `authorizationEndpoint`. We exchange the code at `tokenEndpoint`. */
  authorizationEndpoint: string
  tokenEndpoint: string
  /** The issuer that the provider names in its answer, if it names one. */
  issuer?: string
  /** How we send the client secret. By default it goes into the body. */
  clientAuth?: ClientAuth
  scope: string
  fresh?: Record<string, string>
  /** Reads the account. `ask` requests a URL of the provider's API with the access token. */
  account: (ask: (url: string) => Promise<unknown>, accessToken: string) => Promise<ProviderAccount>
}

/** Opens a provider that uses OAuth 2 with PKCE and has its own way to describe an account. */
export function openOAuth(
  { clientId, clientSecret, redirectUri, fetch }: Client<'clientId' | 'clientSecret'>,
  options: OAuthOptions,
): SignInProvider {
  const { label, authorizationEndpoint, tokenEndpoint, scope, fresh, account } = options
  const config = new Configuration(
    {
      issuer: options.issuer ?? new URL(authorizationEndpoint).origin,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
    },
    clientId,
    undefined,
    options.clientAuth ?? ClientSecretPost(clientSecret),
  )
  config.timeout = 10
  config[customFetch] = fetch
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
      const { access_token } = await exchangeCode(config, redirectUri, answer, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      })
      return account((url) => ask(url, access_token), access_token)
    },
  }
}
