import type { Runtime } from '#contract/runtime.ts'

/** In development the server tells nothing. */
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
