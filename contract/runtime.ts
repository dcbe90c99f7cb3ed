/** What the server tells the page about this installation. */
export type Runtime = {
  /** Null unless Stripe itself is used. */
  stripePublishableKey: string | null
  /** Whether the sandbox is part of this server. */
  sandbox: boolean
  /** In the order shown. */
  signInProviders: { name: string; label: string }[]
}
