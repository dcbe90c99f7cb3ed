import { createHmac } from 'node:crypto'

/**
 * The header with Stripe's signature of a webhook. It contains the real time, not that of the
 * sandbox's clock, because receivers refuse signatures that are not recent.
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
