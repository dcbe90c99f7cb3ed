// @module-tag slow
import { expect, test } from 'vitest'
import { aBilledProject, aDashboard, aLoggedWorld } from '../../tests/a-billed-project.ts'
import { aWorld, billingInfo, reasonOf } from '../../tests/world.ts'

const minute = 60
const day = 24 * 3600

/** A project after three days of a week, with helpers that keep quotes and use them. */
async function aQuotedProject() {
  const world = await aWorld()
  const billed = await aBilledProject({ world })
  const { owner, subscriptionId, preview, change } = billed
  await world.passAtProvider(3 * day)
  return {
    ...billed,
    world,
    quote: async (planId: string) => (await preview(planId)).result!.quote!,
    quoted: async (planId: string) => (await preview(planId)).result!,
    /** Changes the plan with a quote, and returns `done` or the reason of the refusal. */
    use: async (planId: string, quote: string) =>
      reasonOf(await change(planId, { quote })) ?? 'done',
    credit: async () => (await owner.does('getBillingDetails', { subscriptionId })).credit,
  }
}

test('a plan change costs exactly its quote, and a forged quote is refused', async () => {
  const { world, invoices, change, quoted, use } = await aQuotedProject()
  const { preview: said, quote } = await quoted('enterprise')
  await world.passAtProvider(1800)
  const [at, total, due, seal] = quote!.split('.')
  for (const wrong of [
    'made up',
    `${Number(at) + 2 * day}.${total}.${due}.${seal}`,
    `${at}.${Number(total) - 1}.${due}.${seal}`,
    `${at}.${total}.${Number(due) - 1}.${seal}`,
    `${quote}.`,
  ])
    expect(await use('enterprise', wrong)).toBe('previewOutdated')
  expect(await use('free', quote!)).toBe('previewOutdated')
  expect((await change('enterprise', { quote })).result).toEqual({})
  expect((await invoices())[0]!.amount_paid).toBe(said.due)
})

test('a quote is for one person: neither the next owner nor a former one can use it', async () => {
  const { world, owner, subscriptionId, quote, row } = await aQuotedProject()
  const wish = { subscriptionId, planId: 'enterprise', quote: await quote('enterprise') }
  const admin = await world.aPerson('admin')
  await world.addMember(subscriptionId, admin, ['editor', 'admin'])
  await owner.transfers(subscriptionId, admin)
  await admin.cannot('changeSubscriptionPlan', wish, 'previewOutdated')
  await owner.cannot('changeSubscriptionPlan', wish, 'ownerOnly')
  expect(await row()).toMatchObject({ planId: 'pro', nextPlanId: null })
})

test('a quote for a charge is valid for one hour', async () => {
  const { world, quote, use } = await aQuotedProject()
  const old = await quote('enterprise')
  await world.passAtProvider(61 * minute)
  expect(await use('enterprise', old)).toBe('previewOutdated')
  const again = await quote('enterprise')
  await world.passAtProvider(59 * minute)
  expect(await use('enterprise', again)).toBe('done')
})

test.each(['pro', 'free'])(
  'a quote for credit is valid for five minutes, and gives what it showed: to %s',
  async (planId) => {
    const { world, quote, quoted, use, change, credit } = await aQuotedProject()
    await change('enterprise')
    await world.passAtProvider(day)
    const old = await quote(planId)
    await world.passAtProvider(6 * minute)
    expect(await use(planId, old)).toBe('previewOutdated')
    const again = await quoted(planId)
    await world.passAtProvider(4.5 * minute)
    expect(await use(planId, again.quote!)).toBe('done')
    expect(await credit()).toBe(again.preview.credited)
  },
)

test('a quote can be used once, even if the project is on the same plan again', async () => {
  const { quote, use, change, credit } = await aQuotedProject()
  await change('enterprise')
  const first = await quote('pro')
  const second = await quote('pro')
  expect(await use('pro', first)).toBe('done')
  await change('enterprise')
  for (const used of [first, second]) expect(await use('pro', used)).toBe('previewOutdated')
  expect(await credit()).toBeLessThanOrEqual(1)
})

test('a quote used several times at once is used once, and a repeated key gets its answer', async () => {
  const { owner, subscriptionId, quote, invoices } = await aQuotedProject()
  const wish = { subscriptionId, planId: 'enterprise', quote: await quote('enterprise') }
  const ask = async (key: string) =>
    owner.call('changeSubscriptionPlan', wish, { 'idempotency-key': key })
  const keys = ['one', 'two', 'three'].map((key) => `${subscriptionId}-${key}`)
  const answers = await Promise.all(keys.map(ask))
  expect(answers.filter(({ result }) => result)).toHaveLength(1)
  expect(
    (await Promise.all(keys.map(ask))).map(({ result, error }) => ({ result, error })),
  ).toEqual(answers.map(({ result, error }) => ({ result, error })))
  expect(await invoices()).toHaveLength(2)
})

test('a quote from before a renewal is refused', async () => {
  const { world, quote, use } = await aQuotedProject()
  await world.passAtProvider(4 * day - 10 * minute)
  const old = await quote('enterprise')
  await world.passAtProvider(20 * minute)
  expect(await use('enterprise', old)).toBe('previewOutdated')
})

test('a change at the payment provider ends a quote, even before its event has come', async () => {
  const { world, row, quote, use } = await aQuotedProject()
  const { stripe } = await aDashboard(world)
  const old = await quote('enterprise')
  await world.untilWorkedOff()
  await world.control({ webhooks: { mode: 'hold' } })
  const id = (await row()).providerSubscriptionId!
  const { items } = await stripe.subscriptions.retrieve(id)
  for (const price of ['price_enterprise_weekly', 'price_pro_weekly'])
    await stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]!.id, price }],
      proration_behavior: 'always_invoice',
    })
  expect(await use('enterprise', old)).toBe('previewOutdated')
})

test('credit that is used up after a preview outdates its quote', async () => {
  const { world, row, quoted, use } = await aQuotedProject()
  const { stripe } = await aDashboard(world)
  const customer = (await row()).customerId!
  await stripe.customers.update(customer, { balance: -500 })
  const { preview, quote } = await quoted('enterprise')
  expect(preview.credit_used).toBe(500)
  await stripe.customers.update(customer, { balance: 0 })
  expect(await use('enterprise', quote!)).toBe('previewOutdated')
})

test('a quote with other tax than the payer has by now is refused', async () => {
  const { world } = await aLoggedWorld('error', { STRIPE_TAX: '1' })
  const { owner, subscriptionId, preview, change } = await aBilledProject({ world })
  const { billingDetails } = billingInfo('pm_card_visa')
  const { quote } = (await preview('enterprise')).result!
  await owner.does('updateBillingDetails', {
    subscriptionId,
    ...billingDetails,
    address: { ...billingDetails.address, state: 'BE', postal_code: '10115', country: 'DE' },
  })
  expect(reasonOf(await change('enterprise', { quote }))).toBe('previewOutdated')
  const again = (await preview('enterprise')).result!
  expect((await change('enterprise', { quote: again.quote })).result).toEqual({})
})

test('an outdated quote from another tab leaves a change alone that waits for 3-D Secure', async () => {
  const { world, owner, subscriptionId, project, quote, use, change, confirm } =
    await aQuotedProject()
  await world.payWith(owner, subscriptionId, 'pm_card_authenticationRequired')
  const old = await quote('enterprise')
  const { clientSecret } = (await change('enterprise', { quote: await quote('enterprise') }))
    .result!
  expect(await use('enterprise', old)).toBe('previewOutdated')
  expect(await confirm(clientSecret)).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'enterprise', payment: 'ok' })
})

test('a quote of a project that is canceled meanwhile changes nothing', async () => {
  const { owner, subscriptionId, quote, use, invoices } = await aQuotedProject()
  const old = await quote('enterprise')
  await owner.does('cancelSubscription', { subscriptionId, confirmationId: subscriptionId })
  expect(await use('enterprise', old)).toBe('subscriptionCanceled')
  expect(await invoices()).toHaveLength(1)
})
