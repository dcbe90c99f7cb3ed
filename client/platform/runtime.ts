import type { Runtime } from '#contract/runtime.ts'

/** What the server writes into the page. In development that is nothing, so the defaults apply. */
export const runtime: Runtime = {
  stripePublishableKey: null,
  signInProviders: [],
  passkeys: false,
  ...(JSON.parse(document.getElementById('runtime')?.textContent || '{}') as Partial<Runtime>),
}

/** Whether passkeys are offered here, and this browser knows them. */
export const offersPasskeys = runtime.passkeys && 'PublicKeyCredential' in window

/** The name to show for a sign-in provider. If it is no longer offered, this is its stored name. */
export function providerLabel(provider: string) {
  return runtime.signInProviders.find(({ name }) => name === provider)?.label ?? provider
}
