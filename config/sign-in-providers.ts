/** Shown on the sign-in screens when enabled here and configured in the environment. */
export const signInProviders = {
  google: { enabled: true },
  microsoft: { enabled: false },
  facebook: { enabled: false },
  apple: { enabled: false },
  github: { enabled: false },
  twitter: { enabled: false },
  yahoo: { enabled: false },
} as const satisfies Record<string, { enabled: boolean }>

export type SignInProvider = keyof typeof signInProviders

/**
 * Company sign-in: OpenID Connect issuers, as many as wanted, in lower case. Each is shown when the environment configures it:
 * `okta` by OKTA_ISSUER, OKTA_CLIENT_ID, OKTA_CLIENT_SECRET and OKTA_NAME.
 */
export const openIdIssuers: readonly string[] = ['oidc']
