import type { CustomFetch } from 'openid-client'

/** The values of one request to a provider. They tie the provider's answer to this request. */
export type ProviderQuestion = {
  state: string
  nonce: string
  /** PKCE's code verifier. */
  verifier: string
  /** Asks for a new sign-in instead of a remembered one. Not every provider can. */
  fresh: boolean
}

export type ProviderAccount = {
  /** The id of the account at the provider. It never changes and never passes to another person. */
  subject: string
  email: string | undefined
  /** Whether the provider says that it has verified the address. False if it says nothing. */
  emailVerified: boolean
  name: string | undefined
  picture: string | undefined
  /** Milliseconds since the last sign-in at the provider. Missing if it doesn't say. */
  signedInAgo?: number
}

export type SignInProvider = {
  label: string
  /** Whether the provider's page posts its answer to us as a form instead of redirecting to us. */
  postsAnswer: boolean
  /** Fails if the provider can't be reached, or is not what its address says. */
  check?(): Promise<unknown>
  authorizationUrl(question: ProviderQuestion): Promise<URL>
  /** Refuses with `auth/user-cancelled`. Other failures throw other errors. */
  findAccount(question: ProviderQuestion, answer: URLSearchParams): Promise<ProviderAccount>
}

export type Client<Setting extends string> = Record<Setting, string> & {
  /** Replaces the provider's public address, as for an organization's own server. */
  issuer?: string
  name?: string
  /** Our address that the provider sends people back to. */
  redirectUri: string
  /** Sends our requests to the provider. */
  fetch: CustomFetch
}

/** What a module in `brands/` exports as `provider`. */
export type SignInModule<Setting extends string = never> = {
  /** The settings that it needs. Google's `clientId` comes from `GOOGLE_CLIENT_ID`. */
  settings: readonly Setting[]
  optional?: readonly string[]
  /** Throws a `StartError` if a setting is malformed. */
  check?(settings: Record<Setting, string>): void
  open(client: Client<Setting>): SignInProvider
}

export function withSecret(
  open: (client: Client<'clientId' | 'clientSecret'>) => SignInProvider,
): SignInModule<'clientId' | 'clientSecret'> {
  return { settings: ['clientId', 'clientSecret'], open }
}
