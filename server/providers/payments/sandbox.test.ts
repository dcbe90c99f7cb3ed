import { aSandbox } from '@atrium/sandbox/testing'
import { paymentsContract } from '../../../tests/contracts/payments.ts'
import { openStripePayments } from './stripe/stripe.ts'

paymentsContract('the sandbox', async () => {
  const { sandbox } = await aSandbox()
  const payments = openStripePayments({
    secretKey: 'sk_test_sandbox',
    webhookSecret: 'whsec_of_the_tests',
    prices: ['price_pro', 'price_enterprise'],
    fetch: sandbox.fetch as typeof fetch,
  })
  return {
    payments,
    cheap: { priceId: 'price_pro', amount: 1000 },
    dear: { priceId: 'price_enterprise', amount: 3000 },
  }
})
