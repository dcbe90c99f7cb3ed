import { plans, type Plan } from '#config/plans.ts'
import { product } from '#config/product.ts'

/** The plans that cost something, as the payment provider is told of them. */
export const pricedPlans = (plans as readonly Plan[])
  .filter(({ price }) => price > 0)
  .map(({ id, priceIds, price, currencyCode, legacy }) => ({
    id,
    name: `${product.name} ${id[0]!.toUpperCase()}${id.slice(1)}`,
    priceIds,
    unitAmount: price * 100,
    currency: currencyCode,
    legacy,
  }))

/** The same as the sandbox sells them. */
export const sandboxPrices = pricedPlans.flatMap(({ id, name, priceIds, unitAmount, currency }) =>
  priceIds.map((priceId) => ({
    id: priceId,
    product: { id: `prod_${product.name.toLowerCase()}_${id}`, name },
    unitAmount,
    currency,
  })),
)
