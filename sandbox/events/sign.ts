import { createHmac } from 'node:crypto'

/** As Stripe signs. The time is the real one, whatever the sandbox's clock says: receivers refuse what is not fresh. */
export function signed(body: string, secret: string): Record<string, string> {
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${t},v1=${v1}`,
    'user-agent': 'Stripe/1.0 (sandbox)',
  }
}
