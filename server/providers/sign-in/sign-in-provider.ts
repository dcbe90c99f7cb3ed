/** What ties a provider's answer to our question. */
export type ProviderQuestion = {
  state: string
  nonce: string
  /** Of PKCE. */
  verifier: string
  /** Asks for a sign-in made now, not one that the provider remembers, where it can. */
  fresh: boolean
}

/** A person's account at a provider, in our words. */
export type ProviderAccount = {
  /** Never changes and is never given to another person. */
  subject: string
  email: string | undefined
  /** Whether the provider says so; a provider that says nothing has not verified it. */
  emailVerified: boolean
  name: string | undefined
  picture: string | undefined
  /** Milliseconds since the person last proved to the provider who they are, where it says so. */
  signedInAgo?: number
}

export type SignInProvider = {
  label: string
  /** Its answer comes as a form that another site posts, not as a redirect. */
  postsAnswer: boolean
  /** Where to send the visitor. */
  authorizationUrl(question: ProviderQuestion): Promise<URL>
  /**
   * The account that the visitor came back with, from the parameters of the provider's answer.
   * Refused: `auth/user-cancelled`; any other failure is an exception.
   */
  findAccount(question: ProviderQuestion, answer: URLSearchParams): Promise<ProviderAccount>
}

/**
 * `issuer` replaces the provider's public address: one organization's tenant, a server of one's
 * own, a stand-in. `redirectUri` is our address that the provider sends people back to.
 */
export type Client<Setting extends string> = Record<Setting, string> & {
  issuer?: string
  name?: string
  redirectUri: string
}

/** What a module in `brands/` exports as `provider`. */
export type SignInModule<Setting extends string = never> = {
  /** Names of variables: google's `clientId` is read from `GOOGLE_CLIENT_ID`. */
  settings: readonly Setting[]
  optional?: readonly string[]
  /** Throws a `StartError` if a setting is malformed. */
  check?(settings: Record<Setting, string>): void
  open(client: Client<Setting>): SignInProvider
}

/** A provider that needs a client id and a secret. */
export function withSecret(
  open: (client: Client<'clientId' | 'clientSecret'>) => SignInProvider,
): SignInModule<'clientId' | 'clientSecret'> {
  return { settings: ['clientId', 'clientSecret'], open }
}
