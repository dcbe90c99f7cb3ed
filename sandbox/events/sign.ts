import { createHmac } from 'node:crypto'

/**
 * Signs as Stripe does. Uses the real time, not the sandbox's clock: receivers refuse old
 * signatures.
 */
export function signed(body: string, secret: string): Record<string, string> {
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${t},v1=${v1}`,
    'user-agent': 'Stripe/1.0 (sandbox)',
  }
}
