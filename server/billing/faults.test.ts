import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '@local/sandbox'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aDatabase } from '../../tests/database.ts'
import { reasonOf } from '../../tests/world.ts'
import { billingJobs } from './jobs.ts'
import { openStripePayments } from '../providers/payments/stripe/stripe.ts'
import { Refusal } from '../platform/refusal.ts'

test('every billing call is refused with paymentsUnavailable while the payment provider is down', async () => {
  const { world, owner, subscriptionId, project, change, preview } = await aBilledProject()
  await world.untilWorkedOff()
  const [card] = await owner.cards(subscriptionId)
  await world.control({ api: { fault: 'break' } })
  const answers = {
    previewPlanChange: await preview('enterprise'),
    getPaymentMethods: await owner.call('getPaymentMethods', { subscriptionId }),
    createSetupIntent: await owner.call('createSetupIntent', { subscriptionId }),
    setDefaultPaymentMethod: await owner.call('setDefaultPaymentMethod', {
      subscriptionId,
      paymentMethodId: card!.id,
    }),
    getBillingDetails: await owner.call('getBillingDetails', { subscriptionId }),
    updateBillingDetails: await owner.updatesBilling(subscriptionId, {}),
    changeSubscriptionPlan: await change('enterprise'),
    cancelSubscription: await owner.cancels(subscriptionId),
    createSubscription: await owner.pays(),
  }
  expect(
    Object.entries(answers).filter(([, answer]) => reasonOf(answer) !== 'paymentsUnavailable'),
  ).toEqual([])
  await world.control({ reset: true })
  await world.untilWorkedOff()
  world.pass(10 * 60_000)
  await billingJobs.recoverPurchases({}, world.services)
  expect(await project()).toMatchObject({ status: 'active', plan_id: 'pro', payment: 'ok' })
  expect(await owner.projects()).toHaveLength(1)
})

test('a call is refused within its time limit when the payment provider takes more than a minute to answer', async () => {
  const { pool } = await aDatabase()
  const sandbox = await openSandbox({
    pool,
    publicUrl: 'http://localhost:3000',
    webhookSecret: 'whsec_x',
    deliver: async () => 200,
    prices: [],
    productName: 'Pergola',
    log: pino({ level: 'silent' }),
  })
  onTestFinished(() => sandbox.close())
  await sandbox.routes.request('/control', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api: { delay: 65_000 } }),
  })
  const payments = openStripePayments({
    secretKey: 'sk_test_sandbox',
    webhookSecret: 'whsec_x',
    prices: [],
    fetch: sandbox.fetch as typeof fetch,
    timeout: 50,
  })
  await expect(
    payments.createCustomer({ subscriptionId: 'project', attempt: 'one' }),
  ).rejects.toEqual(new Refusal('paymentsUnavailable'))
})
