import { setTimeout as delay } from 'node:timers/promises'
import type Stripe from 'stripe'
import { onTestFinished } from 'vitest'
import { newId, type CustomerId } from '../../../server/platform/ids.ts'
import { payments, stripe } from './account.ts'
import { billingDetails } from '../../../operate/seed/billing-details.ts'

export const hour = 3600
export const day = 24 * hour
export const week = 7 * day

/** Makes a test clock for at most three customers, and removes it after the test. */
export async function aClock() {
  const { testClocks } = stripe.testHelpers
  const { id } = await testClocks.create({
    frozen_time: Math.floor(Date.now() / 1000),
    name: 'stripe:check',
  })
  onTestFinished(async () => {
    await testClocks.del(id)
  })

  /** Polls, because the provider gives no other sign. The test's time-out limits the wait. */
  async function ready() {
    for (;;) {
      const clock = await testClocks.retrieve(id)
      if (clock.status === 'ready') return clock
      if (clock.status === 'internal_failure') throw new Error(`The test clock ${id} failed.`)
      await delay(1000)
    }
  }

  async function advanceTo(time: number) {
    await ready()
    await testClocks.advance(id, { frozen_time: time })
    await ready()
  }

  return {
    advanceTo,
    pass: async (seconds: number) => advanceTo((await ready()).frozen_time + seconds),
    aCustomer: async () => {
      await ready()
      const subscriptionId = newId()
      const customer = await stripe.customers.create({
        test_clock: id,
        metadata: { subscriptionId },
      })
      const customerId = customer.id as CustomerId
      await payments.updateCustomer(customerId, {
        name: 'Ann Archer',
        email: 'ann@example.com',
        address,
        language: 'en',
      })
      return { subscriptionId, customerId }
    },
    keepCard: async (customerId: string, card: string) =>
      (await stripe.paymentMethods.attach(card, { customer: customerId })).id,
    invoicesOf: async (providerSubscriptionId: string): Promise<Stripe.Invoice[]> =>
      (await stripe.invoices.list({ subscription: providerSubscriptionId, limit: 100 })).data,
  }
}

const { address } = billingDetails
