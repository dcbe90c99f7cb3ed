import type Stripe from 'stripe'

/** For the SDK: where it sends its requests, when that is not Stripe. `base` as `http://localhost:4242`. */
export function serverAt(
  base: string | undefined,
): Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port'> {
  if (base === undefined) return {}
  const { protocol, hostname, port } = new URL(base)
  const isHttps = protocol === 'https:'
  return {
    protocol: isHttps ? 'https' : 'http',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (isHttps ? 443 : 80),
  }
}
