import type Stripe from 'stripe'
import { setUpEndpoint } from './set-up-endpoint.ts'
import { setUpPlan, type PlanForSale } from './set-up-plan.ts'
import { setUpPlanTax, toDoForTax } from './set-up-tax.ts'

type Account = {
  plans: readonly PlanForSale[]
  publicUrl: string
  /** The provider is to reckon tax. */
  tax?: boolean
  /** Is told what was found, made or changed, as soon as it was. */
  say: (line: string) => void
}

/**
 * Brings an account at the provider to what the server needs. Asked for again it changes nothing. Gives the variables of the server's
 * environment that are known only now.
 */
export async function setUp(
  stripe: Stripe,
  { plans, publicUrl, tax = false, say }: Account,
): Promise<Record<string, string>> {
  for (const plan of plans) {
    const tell = (line: string) => say(`${plan.name}: ${line}`)
    await setUpPlan(stripe, plan, tell)
    if (tax && !plan.legacy) await setUpPlanTax(stripe, plan, tell)
  }
  if (tax) say(`Tax: ${toDoForTax}`)
  const secret = await setUpEndpoint(stripe, publicUrl, (line) => say(`Webhooks: ${line}`))
  return secret === undefined ? {} : { STRIPE_WEBHOOK_SECRET: secret }
}
