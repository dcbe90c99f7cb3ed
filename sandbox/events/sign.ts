import { createHmac } from 'node:crypto'

/** Stripe's signature of a webhook, with the real time: receivers refuse one that isn't recent. */
export function signed(body: string, secret: string): Record<string, string> {
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${t},v1=${v1}`,
    'user-agent': 'Stripe/1.0 (sandbox)',
  }
}
