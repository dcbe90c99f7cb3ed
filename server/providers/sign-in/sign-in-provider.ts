/** What ties a provider's answer to the question that was asked. */
export type ProviderQuestion = {
  state: string
  nonce: string
  /** Of PKCE. */
  verifier: string
  /** Asks for a sign-in made now, where the provider can do so, not one that it remembers. */
  fresh: boolean
}

/** A person's account at a provider, in our words. */
export type ProviderAccount = {
  /** Never changes and is never given to somebody else. */
  subject: string
  email: string | undefined
  /** Whether the provider says so; a provider that says nothing has not verified it. */
  emailVerified: boolean
  name: string | undefined
  picture: string | undefined
  /** Milliseconds since they proved to the provider who they are, where it tells. */
  signedInAgo?: number
}

export type SignInProvider = {
  /** What it calls itself. */
  label: string
  /** Its answer comes as a form that another site posts, not as a redirect. */
  postsAnswer: boolean
  /** Where to send the visitor. */
  authorizationUrl(question: ProviderQuestion): Promise<URL>
  /**
   * Who has come back, by the parameters that the provider sent them back with. Refused: `auth/user-cancelled`; anything else that goes
   * wrong is an exception.
   */
  findAccount(question: ProviderQuestion, answer: URLSearchParams): Promise<ProviderAccount>
}
