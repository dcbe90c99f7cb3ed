type Runtime = {
  stripePublishableKey: string | null
  sandbox: boolean
  /** In the order in which they are shown. */
  signInProviders: { name: string; label: string }[]
}

/** What the server says about this installation; the development server says nothing. */
export const runtime: Runtime = { stripePublishableKey: null, sandbox: true, signInProviders: [], ...told() }

function told(): Partial<Runtime> {
  return JSON.parse(document.getElementById('atrium-config')?.textContent || '{}')
}
