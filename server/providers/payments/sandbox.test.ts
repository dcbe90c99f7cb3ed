// @module-tag slow
import { aSandbox, week } from '@local/sandbox/testing'
import { expect, test } from 'vitest'
import { paymentsContract } from '../../../tests/contracts/payments.ts'
import type { ProviderSubscriptionId } from '../../platform/ids.ts'
import { openStripePayments } from './stripe/stripe.ts'

const weekly = { currency: 'usd', frequency: 'week', every: 1 } as const

paymentsContract('the sandbox', async () => {
  const { sandbox } = await aSandbox()
  return {
    payments: paymentsOver(sandbox.fetch),
    cheap: { ...weekly, priceId: 'price_pro', amount: 1000 },
    dear: { ...weekly, priceId: 'price_enterprise', amount: 3000 },
  }
})

test('a plan change that meets the beginning of a week charges that week at once', async () => {
  const { sandbox, stripe, advance, aCustomer } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const { id } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: 'price_enterprise' }],
    default_payment_method: card!.id,
  })
  const payments = paymentsOver(async (url, init) => {
    const isChange = init?.method === 'POST' && url.endsWith(`/v1/subscriptions/${id}`)
    if (isChange) await advance(week)
    return sandbox.fetch(url, init)
  })
  await payments.changeProviderSubscription({
    providerSubscriptionId: id as ProviderSubscriptionId,
    priceId: 'price_pro',
    attempt: 'an attempt',
  })
  const { data: invoices } = await stripe.invoices.list({ subscription: id })
  const said = invoices.map(({ billing_reason, status, total, amount_paid }) =>
    [billing_reason, status, total, amount_paid].join(' '),
  )
  expect(said.toSorted()).toEqual([
    'subscription_create paid 3000 3000',
    'subscription_cycle paid 3000 1000',
    'subscription_update paid -2000 0',
  ])
})

function paymentsOver(send: (url: string, init?: RequestInit) => Promise<Response>) {
  return openStripePayments({
    secretKey: 'sk_test_sandbox',
    webhookSecret: 'whsec_of_the_tests',
    prices: ['price_pro', 'price_enterprise'],
    fetch: send as typeof fetch,
  })
}
