import Stripe from 'stripe'
import { readStripeAccount } from '../start/env.ts'
import { pricedPlans } from '../billing/plans.ts'
import { modeOf, serverAt } from '../providers/payments/stripe/stripe.ts'
import { setUp } from '../providers/payments/stripe/set-up.ts'
import { StartError } from '../platform/start-error.ts'
import { print } from '../platform/terminal.ts'
import { exitWith } from '../start/announce.ts'

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
