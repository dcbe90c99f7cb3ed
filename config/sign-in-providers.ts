/** The app shows them in this order, if they are enabled here and set in the environment. */
export const signInProviders = {
  google: { enabled: true },
  microsoft: { enabled: false },
  apple: { enabled: false },
  facebook: { enabled: false },
  github: { enabled: false },
  twitter: { enabled: false },
  yahoo: { enabled: false },
} as const satisfies Record<string, { enabled: boolean }>

/**
 * Names of OpenID Connect issuers, in lower case. The environment configures `okta` by
 * OKTA_ISSUER, OKTA_CLIENT_ID, OKTA_CLIENT_SECRET and OKTA_NAME.
 */
export const openIdIssuers: readonly string[] = ['oidc']
