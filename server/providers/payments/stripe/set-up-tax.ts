import type Stripe from 'stripe'
import { idOf } from './asked.ts'
import { findPrice, type PlanForSale } from './set-up-plan.ts'

/** Software as a service, for businesses: https://docs.stripe.com/tax/tax-codes */
const taxCode = 'txcd_10103001'

/** What only the dashboard can be told. */
export const toDoForTax =
  'give the dashboard, under Tax, the address of your head office and every place where you are registered. Without registrations no tax is collected'

/** Says what a plan is, and that its price is without tax. What somebody has said otherwise stays. */
export async function setUpPlanTax(stripe: Stripe, plan: PlanForSale, say: (line: string) => void) {
  const price = (await findPrice(stripe, plan))!
  const product = await stripe.products.retrieve(idOf(price.product)!)
  if (product.tax_code === null) {
    await stripe.products.update(product.id, { tax_code: taxCode })
    say(`set tax code ${taxCode}`)
  }
  if (price.tax_behavior === 'unspecified') {
    await stripe.prices.update(price.id, { tax_behavior: 'exclusive' })
    say('tax comes on top of its price')
  }
}
