import { currenciesOf, type PlanPrice } from '#contract/prices.ts'
import type Stripe from 'stripe'
import { pricedPlans } from '../../../server/billing/plans.ts'

const sold = pricedPlans.filter(({ legacy }) => !legacy).flatMap(({ prices }) => prices)

/** Finds prices that the provider lacks. The tests need all of them. */
async function missingPrices(stripe: Stripe) {
  const { data } = await stripe.prices.list({
    lookup_keys: sold.map(({ priceIds }) => priceIds[0]!),
    active: true,
  })
  const isThere = (price: PlanPrice) => {
    const amount = price.amounts[currenciesOf(price)[0]]
    return data.some(
      ({ lookup_key, unit_amount }) => lookup_key === price.priceIds[0] && unit_amount === amount,
    )
  }
  return sold.filter((price) => !isThere(price)).map(({ priceIds }) => priceIds[0])
}

async function findProblem() {
  const { stripe } = await import('./account.ts')
  const missing = await missingPrices(stripe)
  if (missing.length === 0) return undefined
  return `This account has no price, or one of another amount, for ${missing.join(' and ')}. Run npm run stripe:setup with the same key first.`
}

const problem = await findProblem().catch(({ message }: Error) => message)
if (problem) {
  console.error(problem)
  process.exitCode = 1
}
