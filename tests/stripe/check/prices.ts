import { cheap, dear, stripe } from './account.ts'

/** Makes the prices that the tests buy, unless an earlier check has made them. */
async function makePrices() {
  const wanted = [cheap, dear]
  const lookup_keys = wanted.map(({ priceId }) => priceId)
  const { data } = await stripe.prices.list({ lookup_keys, active: true })
  const missing = wanted.filter(
    ({ priceId }) => !data.some(({ lookup_key }) => lookup_key === priceId),
  )
  if (missing.length === 0) return
  const { id: product } = await stripe.products.create({ name: 'stripe:check' })
  for (const { priceId, amount, currency } of missing)
    await stripe.prices.create({
      product,
      currency,
      unit_amount: amount,
      recurring: { interval: 'week' },
      lookup_key: priceId,
    })
}

await makePrices().catch(({ message }: Error) => {
  console.error(message)
  process.exitCode = 1
})
