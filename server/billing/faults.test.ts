import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '@atrium/sandbox'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aDatabase } from '../../tests/database.ts'
import { aWorldWith, reasonOf, type World } from '../../tests/world.ts'
import { billingJobs } from './jobs.ts'
import { openStripePayments } from '../providers/payments/stripe/stripe.ts'
import { Refusal } from '../platform/refusal.ts'

async function aPaidProject() {
  const billed = await aBilledProject()
  const { world } = billed
  await world.untilWorkedOff()
  /** Ends the provider's faults and runs the jobs that recover from them. */
  const settle = async () => {
    await world.control({ reset: true })
    await world.untilWorkedOff()
    world.pass(10 * 60_000)
    await billingJobs.recoverPurchases({}, world.services)
  }
  return { ...billed, settle }
}

test('every billing call is refused with paymentsUnavailable while the payment provider is down', async () => {
  const { world, owner, subscriptionId, project, change, preview, settle } = await aPaidProject()
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
  await settle()
  expect(await project()).toMatchObject({ status: 'active', plan_id: 'pro', payment: 'ok' })
  expect(await owner.projects()).toHaveLength(1)
})

test.each([
  { fault: 'break', at: 'after' },
  { fault: 429, at: 'before' },
  { fault: 500, at: 'after' },
] as const)(
  'when the payment provider fails with $fault $at doing the work, a cancellation has succeeded afterwards, or succeeds when it is repeated',
  async (api) => {
    const { world, owner, subscriptionId, project, settle } = await aPaidProject()
    const cancel = () => owner.cancels(subscriptionId)
    await world.control({ api })
    expect(reasonOf(await cancel())).toBe('paymentsUnavailable')
    await settle()
    if ((await project()).status === 'active') expect((await cancel()).result).toEqual({})
    expect(await project()).toMatchObject({ status: 'canceled' })
  },
)

async function liveIn({ services }: World) {
  const live = []
  for await (const plan of services.payments.listLiveProviderSubscriptions()) live.push(plan)
  return live
}

const cuts = [0, 1, 2, 3, 4, 5, 6].flatMap((skip) => [
  { skip, at: 'before' as const },
  { skip, at: 'after' as const },
])

test.each(cuts)(
  'a plan change is completed or undone when the payment provider processes $skip requests and then breaks off $at processing the next one',
  async (cut) => {
    const { world, owner, subscriptionId, project, settle, row } = await aPaidProject()
    const wish = { subscriptionId, planId: 'enterprise' }
    const key = { 'idempotency-key': 'one-change' }
    const change = () => owner.call('changeSubscriptionPlan', wish, key)
    await world.control({ api: { fault: 'break', ...cut } })
    const broken = await change()
    expect([undefined, 'paymentsUnavailable']).toContain(reasonOf(broken))
    await settle()
    const { plan_id, payment } = await project()
    expect(['pro', 'enterprise']).toContain(plan_id)
    expect(payment).toBe('ok')
    const { providerSubscriptionId } = await row()
    expect(
      await world.services.payments.findProviderSubscription(providerSubscriptionId!),
    ).toMatchObject({
      priceId: `price_atrium_${plan_id}_weekly`,
      isChanging: false,
    })
    expect(await row()).toMatchObject({ nextPlanId: null, billingLeaseUntil: null })
    const again = await change()
    expect([undefined, 'samePlan']).toContain(reasonOf(again))
    expect((await project()).plan_id).toBe('enterprise')
  },
)

test.each(cuts)(
  'a cancellation takes effect here and at the payment provider, or in neither place, when the provider processes $skip requests and then breaks off $at processing the next one',
  async (cut) => {
    const { world, owner, subscriptionId, project, settle, row } = await aPaidProject()
    const { providerSubscriptionId } = await row()
    await world.control({ webhooks: { mode: 'drop' }, api: { fault: 'break', ...cut } })
    const answer = await owner.cancels(subscriptionId)
    expect([undefined, 'paymentsUnavailable']).toContain(reasonOf(answer))
    await world.control({ api: {} })
    await settle()
    const { state } = (await world.services.payments.findProviderSubscription(
      providerSubscriptionId!,
    ))!
    expect([(await project()).status, state]).toEqual(
      state === 'ended' ? ['canceled', 'ended'] : ['active', 'active'],
    )
    expect(await row()).toMatchObject({ requestedBy: null, billingLeaseUntil: null })
  },
)

test.each(cuts)(
  'a purchase is paid once or undone when the payment provider processes $skip requests and then breaks off $at processing the next one',
  async (cut) => {
    const [world, owner] = await aWorldWith('owner')
    const buy = () => owner.pays('pm_card_visa', { 'idempotency-key': 'one-purchase' })
    await world.control({ api: { fault: 'break', ...cut } })
    expect([undefined, 'paymentsUnavailable']).toContain(reasonOf(await buy()))
    await world.control({ reset: true })
    world.pass(10 * 60_000)
    await billingJobs.recoverPurchases({}, world.services)
    await world.untilWorkedOff()
    const live = await liveIn(world)
    const { subscriptions } = await owner.does('listSubscriptions', {})
    expect(subscriptions.map(({ id, status }) => [id, status])).toEqual(
      live.map(({ subscriptionId }) => [subscriptionId, 'active']),
    )
    expect((await buy()).status).toBe(200)
    expect(await owner.projects()).toHaveLength(1)
  },
)

test('a call is refused within its time limit when the payment provider takes more than a minute to answer', async () => {
  const { pool } = await aDatabase()
  const sandbox = await openSandbox({
    pool,
    publicUrl: 'http://localhost:3000',
    webhookSecret: 'whsec_x',
    deliver: async () => 200,
    prices: [],
    productName: 'Atrium',
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
