import Stripe from 'stripe'
import { readStripeAccount } from '../../server/running/env.ts'
import { pricedPlans } from '../../server/billing/plans.ts'
import { modeOf, serverAt } from '../../server/providers/payments/stripe/stripe.ts'
import { setUp } from '../stripe/set-up.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { print } from '../../server/platform/terminal.ts'
import { exitWith } from '../../server/running/announce.ts'

/** Creates what the server needs in the Stripe account of STRIPE_SECRET_KEY. */
async function main() {
  const { secretKey, publicUrl, apiBase, tax } = readStripeAccount(process.env)
  const webhookSecret = await setUp(new Stripe(secretKey, serverAt(apiBase)), {
    plans: pricedPlans,
    publicUrl,
    tax,
    say: print,
  })
  print("\nThe server's environment:")
  print(
    `STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY: this account's API keys for ${modeOf(secretKey)} mode, from the dashboard`,
  )
  if (webhookSecret) print(`STRIPE_WEBHOOK_SECRET=${webhookSecret}`)
}

await main().catch((error: unknown) => {
  exitWith(error instanceof Stripe.errors.StripeError ? new StartError(error.message) : error)
})
