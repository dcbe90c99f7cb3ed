/** What the server tells the page about this installation. */
export type Runtime = {
  /** Null unless this installation uses Stripe. */
  stripePublishableKey: string | null
  /** In the order in which the app shows them. */
  signInProviders: { name: string; label: string }[]
  /** Whether people can sign in with passkeys here. */
  passkeys: boolean
}
