type Runtime = {
  /** Missing where something stands in for Stripe: … */
  stripePublishableKey: string | null
  /** … a part of our own server, or else another one. */
  sandbox: boolean
  /** In the order in which they are shown. */
  signInProviders: { name: string; label: string }[]
}

/** What the server says about this installation; the development server says nothing. */
export const runtime: Runtime = {
  stripePublishableKey: null,
  sandbox: true,
  signInProviders: [],
  ...told(),
}

/** A provider that is no longer offered keeps the name it is stored by. */
export function providerLabel(provider: string) {
  return runtime.signInProviders.find(({ name }) => name === provider)?.label ?? provider
}

function told(): Partial<Runtime> {
  return JSON.parse(document.getElementById('atrium-config')?.textContent || '{}')
}
