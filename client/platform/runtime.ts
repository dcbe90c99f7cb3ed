type Runtime = {
  /** Null when the sandbox replaces Stripe. */
  stripePublishableKey: string | null
  /** Whether that sandbox is part of our own server. */
  sandbox: boolean
  /** In the order shown. */
  signInProviders: { name: string; label: string }[]
}

/** What the server tells the page about this installation; nothing in development. */
export const runtime: Runtime = {
  stripePublishableKey: null,
  sandbox: true,
  signInProviders: [],
  ...readConfig(),
}

/** A provider that is no longer offered shows the name it is stored by. */
export function providerLabel(provider: string) {
  return runtime.signInProviders.find(({ name }) => name === provider)?.label ?? provider
}

function readConfig(): Partial<Runtime> {
  return JSON.parse(document.getElementById('atrium-config')?.textContent || '{}')
}
