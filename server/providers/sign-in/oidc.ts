import {
  ClientSecretPost,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ClientAuth,
  type IDToken,
  type UserInfoResponse,
} from 'openid-client'
import { exchangeCode, transportTo } from './client.ts'
import type { Client, SignInProvider } from './sign-in-provider.ts'

export type Claims = Partial<IDToken & UserInfoResponse>

export type OidcOptions = {
  label: string
  issuer: string
  /** How we send the client secret. By default it goes into the body. */
  clientAuth?: ClientAuth
  /** Query parameters of the first address; `fresh` only if people have to sign in again. */
  parameters?: Record<string, string>
  fresh?: Record<string, string>
  /** False only for issuers that don't support PKCE. Every flow has a state and a nonce. */
  pkce?: boolean
  postsAnswer?: boolean
  isVerified?: (claims: Claims) => boolean
  /** Reads the person's name from the answer's parameters, for issuers that send it there. */
  nameIn?: (answer: URLSearchParams) => string | undefined
}

/** Opens any OpenID Connect issuer. The issuer's discovery document gives its endpoints. */
export function openOidc(
  client: Client<'clientId'> & { clientSecret?: string },
  {
    label,
    issuer: publicIssuer,
    clientAuth = ClientSecretPost(client.clientSecret),
    parameters = {},
    fresh = { prompt: 'login', max_age: '0' },
    pkce = true,
    postsAnswer = false,
    isVerified = ({ email_verified }) => email_verified === true,
    nameIn = () => undefined,
  }: OidcOptions,
): SignInProvider {
  const { clientId, redirectUri, issuer = publicIssuer, fetch } = client
  const discover = onceFor(() =>
    discovery(new URL(issuer), clientId, undefined, clientAuth, {
      timeout: 10,
      [customFetch]: fetch,
      execute: [...transportTo(issuer), enableNonRepudiationChecks],
    }),
  )

  return {
    label,
    postsAnswer,
    check: discover,

    async authorizationUrl({ state, nonce, verifier, fresh: isFresh }) {
      const config = await discover()
      return buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        ...(pkce && {
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
        ...(postsAnswer && { response_mode: 'form_post' }),
        ...parameters,
        ...(isFresh && fresh),
      })
    },

    async findAccount({ state, nonce, verifier }, answer) {
      const config = await discover()
      const tokens = await exchangeCode(config, redirectUri, answer, {
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        ...(pkce && { pkceCodeVerifier: verifier }),
      }).catch((error: unknown) => {
        // The issuer may have new keys, which would not be read for a minute.
        discover.forget()
        throw error
      })
      const claims = tokens.claims()!
      // Some issuers keep the ID token small. Their userinfo endpoint returns the other claims.
      const asked = claims.email === undefined && config.serverMetadata().userinfo_endpoint
      const told: Claims = asked
        ? { ...claims, ...(await fetchUserInfo(config, tokens.access_token, claims.sub)) }
        : claims
      return {
        subject: claims.sub,
        email: textOf(told.email),
        emailVerified: isVerified(told),
        name: nameIn(answer) ?? textOf(told.name),
        picture: textOf(told.picture),
        ...(typeof claims.auth_time === 'number' && {
          signedInAgo: Date.now() - claims.auth_time * 1000,
        }),
      }
    },
  }
}

function textOf(value: unknown) {
  return typeof value === 'string' ? value : undefined
}

/**
 * Calls `ask` once and reuses its answer until it is forgotten. After a failure, the next caller
 * asks again.
 */
function onceFor<Answer>(ask: () => Promise<Answer>) {
  let asked: Promise<Answer> | undefined
  const forget = () => (asked = undefined)
  const askOnce = () => {
    asked ??= ask().catch((error: unknown) => {
      forget()
      throw error
    })
    return asked
  }
  return Object.assign(askOnce, { forget })
}
