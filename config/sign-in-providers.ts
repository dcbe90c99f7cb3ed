/**
 * The sign-in screens show these providers in this order, if they are enabled here and configured
 * in the environment. Each has a module of its name in server/providers/sign-in/brands/.
 */
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
 * The names of OpenID Connect issuers for company sign-in, in lower case. The sign-in screens show
 * an issuer if the environment configures it: `okta` by OKTA_ISSUER, OKTA_CLIENT_ID,
 * OKTA_CLIENT_SECRET and OKTA_NAME.
 */
export const openIdIssuers: readonly string[] = ['oidc']
