import { pricedPlans } from '../../../server/priced-plans.ts'
import { paymentsContract } from '../../../server/providers/payments/contract.ts'
import { openStripePayments } from '../../../server/providers/payments/stripe/stripe.ts'

const [cheap, dear] = pricedPlans
  .filter(({ legacy }) => !legacy)
  .toSorted((a, b) => a.unitAmount - b.unitAmount)
  .map(({ priceIds, unitAmount }) => ({ priceId: priceIds[0]!, amount: unitAmount }))

paymentsContract('Stripe in test mode', async () => {
  const prices = pricedPlans.flatMap(({ priceIds }) => priceIds)
  return {
    payments: openStripePayments({ secretKey: process.env['STRIPE_SECRET_KEY']!, webhookSecret: 'whsec_of_nobody', prices }),
    cheap: cheap!,
    dear: dear!,
  }
})
