// @module-tag slow
import { rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aTab } from '../../tests/tab.ts'
import { billingInfo, reasonOf } from '../../tests/world.ts'

const day = 24 * 3600

test('a change to a more expensive plan charges at once the amount that its preview showed', async () => {
  const { world, project, invoices, change, previewed } = await aBilledProject()
  await world.passAtProvider(3 * day)
  const said = await previewed('enterprise')
  expect(said).toMatchObject({
    currency: 'usd',
    lines: [
      { kind: 'unused', plan_id: 'pro' },
      { kind: 'remaining', plan_id: 'enterprise' },
    ],
    credit_used: 0,
    credited: 0,
    weekly: 3000,
    next_charge: expect.any(Number),
  })
  expect(said.due).toBe(said.lines.reduce((sum, { amount }) => sum + amount, 0))
  expect(said.due / 2000).toBeCloseTo(4 / 7, 2)
  expect((await change('enterprise')).result).toEqual({})
  expect(await project()).toMatchObject({
    plan_id: 'enterprise',
    payment: 'ok',
    renews: said.next_charge,
  })
  const [invoice, first] = await invoices()
  expect([invoice!.status, first!.total]).toEqual(['paid', 1000])
  expect(Math.abs(invoice!.total - said.due)).toBeLessThanOrEqual(1)
})

test('a change to a cheaper plan gives credit, which pays the next weeks', async () => {
  const { world, project, invoices, change, previewed } = await aBilledProject()
  await change('enterprise')
  await world.passAtProvider(3 * day)
  const said = await previewed('pro')
  expect(said).toMatchObject({ due: 0, weekly: 1000 })
  expect(said.credited / 2000).toBeCloseTo(4 / 7, 2)
  expect((await change('pro')).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'pro', payment: 'ok' })
  await world.passAtProvider(5 * day)
  const [renewal] = await invoices()
  expect([renewal!.total, renewal!.status]).toEqual([1000, 'paid'])
})

test('a change to the free plan gives credit for the rest of the week, which pays for a plan that is bought later', async () => {
  const { world, project, invoices, change, buy, previewed } = await aBilledProject()
  await world.passAtProvider(2 * day)
  const said = await previewed('free')
  expect(said).toMatchObject({ due: 0, weekly: 0, next_charge: null })
  expect(said.credited / 1000).toBeCloseTo(5 / 7, 2)
  expect((await change('free')).result).toEqual({})
  expect(await project()).toMatchObject({
    plan_id: 'free',
    status: 'active',
    payment: 'ok',
    renews: null,
  })
  const paid = (await invoices()).length
  await world.passAtProvider(21 * day)
  expect(await invoices()).toHaveLength(paid)
  expect((await project()).status).toBe('active')

  const again = await previewed('pro')
  expect(again).toMatchObject({
    lines: [{ kind: 'week', plan_id: 'pro', amount: 1000 }],
    credit_used: said.credited,
    due: 1000 - said.credited,
  })
  expect((await buy('pm_card_visa')).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'pro', status: 'active' })
})

test('an owner of a free project must give billing details to buy a plan', async () => {
  const { project, change, invoices, owner, subscriptionId, buy, previewed } = await aBilledProject(
    { plan: 'free' },
  )
  expect(await previewed('pro')).toMatchObject({
    lines: [{ kind: 'week', plan_id: 'pro', amount: 1000 }],
    due: 1000,
    weekly: 1000,
  })
  expect(reasonOf(await change('pro'))).toBe('billingInfoRequired')
  expect((await buy('pm_card_visa')).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'pro', renews: expect.any(Number) })
  expect((await invoices())[0]).toMatchObject({
    total: 1000,
    status: 'paid',
    invoice_pdf: expect.any(String),
  })
  expect(await owner.does('getBillingDetails', { subscriptionId })).toMatchObject({
    name: 'Ann Archer',
  })
})

test('a change to an unknown plan, a legacy plan or the current plan is refused', async () => {
  const { change, preview } = await aBilledProject()
  expect(reasonOf(await change('diamond'))).toBe('planNotFound')
  expect(reasonOf(await change('gold'))).toBe('planNotAvailable')
  expect(reasonOf(await change('pro'))).toBe('samePlan')
  expect(reasonOf(await preview('pro'))).toBe('samePlan')
  expect(reasonOf(await change('enterprise', { billingInfo: billingInfo('pm_card_visa') }))).toBe(
    'billingInfoNotWanted',
  )
})

test('a change to a plan with too few seats is refused, and the answer names the members and the invited addresses', async () => {
  const { world, owner, subscriptionId, change, preview, project } = await aBilledProject()
  await world.addMembers(subscriptionId, 9)
  await owner.invites(subscriptionId, 'guest@example.com')
  const refused = await change('free')
  expect(refused.error!.details).toEqual({
    reason: 'tooManyMembers',
    seats: 10,
    taken: 11,
    members: ['owner', ...Array.from({ length: 9 }, (_, index) => `Member ${index}`)],
    invited: ['guest@example.com'],
  })
  expect(reasonOf(await preview('free'))).toBe('tooManyMembers')
  expect(await project()).toMatchObject({ plan_id: 'pro' })
})

test('when an owner changes to a plan with fewer seats and sends an invitation at once, one of the two is refused if the seats do not suffice', async () => {
  const { world, owner, subscriptionId, change } = await aBilledProject()
  await world.addMembers(subscriptionId, 9)
  const [changed, invited] = await Promise.all([
    change('free'),
    owner.triesToInvite(subscriptionId, 'guest@example.com'),
  ])
  expect([reasonOf(changed), reasonOf(invited)].filter(Boolean)).toHaveLength(1)
})

test('a plan change that needs 3-D Secure takes effect once the bank has confirmed the payment', async () => {
  const { owner, subscriptionId, project, change, invoices, buy, confirm } = await aBilledProject({
    plan: 'free',
  })
  const { clientSecret } = (await buy('pm_card_authenticationRequired')).result!
  expect(await project()).toMatchObject({ plan_id: 'free', status: 'active' })
  await owner.cannot('completePayment', { subscriptionId }, 'paymentIncomplete')
  expect(await confirm(clientSecret)).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'pro' })

  const upgrade = (await change('enterprise')).result!
  expect(upgrade.clientSecret).toBeDefined()
  expect(await project()).toMatchObject({ plan_id: 'pro', payment: 'ok' })
  expect(await confirm(upgrade.clientSecret)).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'enterprise' })
  expect((await invoices()).every(({ status }) => status === 'paid')).toBe(true)
})

test('administrators read that a plan change waits for 3-D Secure; when that fails, the plan stays as it was, and open tabs hear of it', async () => {
  const { world, owner, subscriptionId, project, change, buy, row, confirm } = await aBilledProject(
    { plan: 'free' },
  )
  const bought = (await buy('pm_card_authenticationRequired')).result!
  await confirm(bought.clientSecret)
  const max = await world.aPerson('max')
  await world.addMember(subscriptionId, max)
  const upgrade = (await change('enterprise')).result!
  expect(await project()).toMatchObject({ plan_id: 'pro', changing_to: 'enterprise' })
  expect(await max.project(subscriptionId)).toMatchObject({ plan_id: 'pro', changing_to: null })
  await world.untilWorkedOff()
  const tab = await aTab(world, owner)
  await world.answerChallenge(upgrade.clientSecret!, 'fail')
  await owner.cannot('completePayment', { subscriptionId }, 'cardDeclined')
  expect((await tab.heard()).what).toContain('subscription')
  expect(await project()).toMatchObject({
    plan_id: 'pro',
    payment: 'ok',
    status: 'active',
    changing_to: null,
  })
  expect(await row()).toMatchObject({ nextPlanId: null })
})

test('a new plan change replaces an earlier one that waits for 3-D Secure', async () => {
  const { world, owner, subscriptionId, project, buy } = await aBilledProject({ plan: 'free' })
  const left = (await buy('pm_card_authenticationRequired', 'enterprise')).result!
  expect((await buy('pm_card_visa')).result).toEqual({})
  await world.answerChallenge(left.clientSecret!, 'succeed')
  await world.untilWorkedOff()
  expect(await project()).toMatchObject({ plan_id: 'pro', payment: 'ok' })
  await owner.does('getPaymentMethods', { subscriptionId })
})

test('plan changes that are sent at once are carried out one after the other', async () => {
  const { world, project, change, invoices } = await aBilledProject()
  const answers = await Promise.all([change('enterprise'), change('free'), change('enterprise')])
  for (const answer of answers)
    expect([undefined, 'samePlan', 'billingInfoRequired']).toContain(reasonOf(answer))
  await world.untilWorkedOff()
  const { plan_id } = await project()
  expect(['enterprise', 'free']).toContain(plan_id)
  expect((await invoices()).every(({ status }) => status === 'paid')).toBe(true)
})

test('a change to the free plan in the first hour of a week gives no credit for that week, which is not paid yet', async () => {
  const { world, project, invoices, change, previewed } = await aBilledProject()
  await world.passAtProvider(7 * day + 1800)
  expect(await previewed('free')).toMatchObject({ lines: [], due: 0, credited: 0 })
  expect((await change('free')).result).toEqual({})
  await world.passAtProvider(7 * day)
  expect(await project()).toMatchObject({ plan_id: 'free', status: 'active' })
  expect((await invoices()).filter(({ status }) => status === 'paid')).toHaveLength(1)
  expect(await previewed('pro')).toMatchObject({ credit_used: 0, due: 1000 })
})

test('a plan change in the first hour of a week first charges the unpaid invoice of that week', async () => {
  const { world, owner, subscriptionId, project, invoices, change } = await aBilledProject()
  await world.passAtProvider(7 * day + 1800)
  await world.control({ charges: { fail: 1 } })
  expect(reasonOf(await change('enterprise'))).toBe('cardDeclined')
  expect(await project()).toMatchObject({ plan_id: 'pro', payment: 'past_due' })
  expect(await owner.does('payInvoice', { subscriptionId })).toEqual({})
  await world.passAtProvider(7 * day)
  expect((await change('enterprise')).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'enterprise', payment: 'ok' })
  expect((await invoices()).every(({ status }) => status === 'paid')).toBe(true)
})

test('after too many declined cards, further purchases by that user are refused', async () => {
  const { world, owner, subscriptionId, project, buy } = await aBilledProject({ plan: 'free' })
  const { store } = world.services
  await world.useUp('declinedCardsByAccount', owner.uid, rateLimits.declinedCardsByAccount.tries)
  expect(reasonOf(await buy('pm_card_visa'))).toBe('auth/too-many-requests')
  expect(await store.billing.find(subscriptionId)).toMatchObject({ nextPlanId: null })
  expect(reasonOf(await owner.pays())).toBe('auth/too-many-requests')
  expect((await store.billing.listActiveOf(owner.uid)).map(({ id }) => id)).toEqual([
    subscriptionId,
  ])
  expect(await store.billing.lockIncompleteOf(owner.uid)).toEqual([])
  expect(await project()).toMatchObject({ plan_id: 'free', status: 'active' })
})

test('a plan change that credit pays for takes effect at once, and its preview says what credit is left', async () => {
  const { change, previewed, project, invoices } = await aBilledProject()
  for (const plan of ['enterprise', 'pro']) expect((await change(plan)).result).toEqual({})
  const { credited } = await previewed('free')
  const { due, credit_used, credit_left } = await previewed('enterprise')
  expect({ due, left: credit_used + credit_left }).toEqual({ due: 0, left: 2000 })
  expect((await previewed('free')).credit_left).toBe(2000 + credited)
  expect((await change('enterprise')).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'enterprise', payment: 'ok' })
  const all = await invoices()
  expect(all.every(({ status }) => status === 'paid')).toBe(true)
  expect(all.reduce((sum, { total }) => sum + total, 0)).toBe(3000)
})

test('the payment for the next week does not complete a plan change that waits for 3-D Secure', async () => {
  const { world, owner, subscriptionId, project, change, row } = await aBilledProject()
  const asking = await world.addCard(owner, subscriptionId, 'pm_card_authenticationRequired')
  const [paying] = await owner.cards(subscriptionId)
  await owner.call('setDefaultPaymentMethod', { subscriptionId, paymentMethodId: asking })
  await world.passAtProvider(7 * day - 12 * 3600)
  expect((await change('enterprise')).result!.clientSecret).toBeDefined()
  await owner.call('setDefaultPaymentMethod', { subscriptionId, paymentMethodId: paying!.id })
  await world.passAtProvider(14 * 3600)
  expect(await project()).toMatchObject({ plan_id: 'pro', payment: 'ok' })
  expect(await row()).toMatchObject({ nextPlanId: null })
})

test('a plan change is refused when the subscription has just ended at the payment provider', async () => {
  const { world, project, change, preview, row } = await aBilledProject()
  await world.untilWorkedOff()
  await world.control({ webhooks: { mode: 'hold' } })
  await world.services.payments.endProviderSubscription((await row())!.providerSubscriptionId!)
  expect(reasonOf(await preview('free'))).toBe('billingBusy')
  expect(reasonOf(await preview('enterprise'))).toBe('billingBusy')
  expect(reasonOf(await change('enterprise'))).toBe('subscriptionCanceled')
  expect(await project()).toMatchObject({ status: 'canceled' })
  expect(await row()).toMatchObject({ nextPlanId: null })
})
