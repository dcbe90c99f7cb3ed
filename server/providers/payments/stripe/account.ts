import Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { asked, found } from './asked.ts'

export function account(
  stripe: Stripe,
  secretKey: string,
): Pick<Payments, 'findAccount' | 'knowsCustomer'> {
  return {
    findAccount: async () => ({
      id: await findId(stripe),
      mode: secretKey.includes('_live_') ? 'live' : 'test',
    }),

    /** Deleted ones are known for good. */
    knowsCustomer: async (id) => (await found(stripe.customers.retrieve(id))) !== undefined,
  }
}

/** A restricted key may not be allowed to ask. */
async function findId(stripe: Stripe) {
  const own = stripe.accounts.retrieveCurrent().catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripePermissionError) return undefined
    throw error
  })
  return (await asked(own))?.id
}
