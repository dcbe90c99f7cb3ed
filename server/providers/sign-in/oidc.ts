import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ClientAuth,
  type Configuration,
  type IDToken,
  type UserInfoResponse,
} from 'openid-client'
import { exchange } from './exchange.ts'
import type { ProviderAccount, SignInProvider } from './sign-in-provider.ts'
import { transportTo } from './transport.ts'

export type Claims = Partial<IDToken & UserInfoResponse>

export type OidcOptions = {
  label: string
  issuer: string
  clientId: string
  clientAuth: ClientAuth
  redirectUri: string
  /** What is asked for besides, and what makes the provider ask for the password again. */
  parameters?: Record<string, string>
  fresh?: Record<string, string>
  /** Left out only where the issuer does not know it; state and nonce are always there. */
  pkce?: boolean
  postsAnswer?: boolean
  isVerified?: (claims: Claims) => boolean
  /** What the answer itself says of the name. */
  nameIn?: (answer: URLSearchParams) => string | undefined
}

/** Any OpenID Connect issuer, by its own description of itself. */
export function openOidc({
  label,
  issuer,
  clientId,
  clientAuth,
  redirectUri,
  parameters = {},
  fresh = { prompt: 'login', max_age: '0' },
  pkce = true,
  postsAnswer = false,
  isVerified = ({ email_verified }) => email_verified === true,
  nameIn = () => undefined,
}: OidcOptions): SignInProvider {
  const discover = onceFor(() =>
    discovery(new URL(issuer), clientId, undefined, clientAuth, {
      timeout: 10,
      execute: [...transportTo(issuer), enableNonRepudiationChecks],
    }),
  )

  return {
    label,
    postsAnswer,

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
      const tokens = await exchange(config, redirectUri, answer, {
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        ...(pkce && { pkceCodeVerifier: verifier }),
      })
      const claims = tokens.claims()!
      const said =
        claims.email === undefined
          ? { ...claims, ...(await userInfo(config, tokens.access_token, claims.sub)) }
          : claims
      return toAccount(claims, said, answer)
    },
  }

  function toAccount(
    { sub, auth_time }: IDToken,
    said: Claims,
    answer: URLSearchParams,
  ): ProviderAccount {
    return {
      subject: sub,
      email: textOf(said.email),
      emailVerified: isVerified(said),
      name: nameIn(answer) ?? textOf(said.name),
      picture: textOf(said.picture),
      ...(typeof auth_time === 'number' && { signedInAgo: Date.now() - auth_time * 1000 }),
    }
  }
}

/** Some issuers keep the ID token small and tell the rest when asked. */
async function userInfo(
  config: Configuration,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  if (!config.serverMetadata().userinfo_endpoint) return {}
  return fetchUserInfo(config, accessToken, subject)
}

function textOf(value: unknown) {
  return typeof value === 'string' ? value : undefined
}

/** Asks once, and again only after a failure. */
function onceFor<Answer>(ask: () => Promise<Answer>) {
  let asked: Promise<Answer> | undefined
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined
      throw error
    })
    return asked
  }
}
