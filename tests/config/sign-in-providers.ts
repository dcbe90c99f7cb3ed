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

export const openIdIssuers: readonly string[] = ['oidc']
