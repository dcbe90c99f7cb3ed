// @module-tag slow
import type pg from 'pg'
import { expect, test } from 'vitest'
import { aBilledProject, aLoggedWorld } from '../../tests/a-billed-project.ts'
import { reasonOf, type Person, type World } from '../../tests/world.ts'
import { newId } from '../platform/ids.ts'

async function cardsOf(owner: Person, subscriptionId: string) {
  const { paymentMethods } = await owner.does('getPaymentMethods', { subscriptionId })
  return paymentMethods.map(({ card, isDefault, added_by }) => [
    card.last4,
    isDefault,
    added_by?.name,
  ])
}

async function cardsInActivity(world: World, owner: Person, subscriptionId: string) {
  await world.untilWorkedOff()
  const { activity } = await owner.does('listActivity', { subscriptionId, page: 1, pageSize: 10 })
  return activity
    .filter(({ kind }) => /card/i.test(kind))
    .map(({ kind, details }) => `${kind} ${String(details['last4'])}`)
}

/** A free project whose owner added a card in the browser and made it the default. */
async function aProjectWithCard() {
  const billed = await aBilledProject({ plan: 'free' })
  const { world, owner, subscriptionId } = billed
  await world.payWith(owner, subscriptionId, 'pm_card_mastercard')
  const settled = async () => {
    // Moving the provider's clock delivers the webhooks.
    await world.passAtProvider(1)
    return cardsOf(owner, subscriptionId)
  }
  return { ...billed, settled }
}

test.each(['pm_card_chargeDeclined', 'pm_card_chargeCustomerFail'])(
  'when an owner of a free project buys a plan with %s, which is declined, the project stays free and the card is removed',
  async (card) => {
    const { world, owner, subscriptionId, buy, settled, project, row } = await aProjectWithCard()
    const refused = await buy(card)
    const details = { reason: 'cardDeclined', declineCode: 'generic_decline' }
    expect(refused.error!.details).toMatchObject(details)
    expect(await project()).toMatchObject({ plan_id: 'free', status: 'active', payment: 'ok' })
    expect(await settled()).toEqual([['4444', true, 'owner']])
    expect((await cardsInActivity(world, owner, subscriptionId)).toSorted()).toEqual([
      'cardAdded 4444',
      'defaultCardChanged 4444',
    ])
    const unchanged = { providerSubscriptionId: null, nextPlanId: null, billingLeaseUntil: null }
    expect(await row()).toMatchObject(unchanged)
    expect((await buy('pm_card_visa')).status).toBe(200)
    await world.untilWorkedOff()
    expect(await project()).toMatchObject({ plan_id: 'pro', status: 'active' })
  },
)

test('a new card is removed when 3-D Secure of the purchase fails, and becomes the default when it succeeds', async () => {
  const { world, owner, subscriptionId, buy, settled, project, confirm } = await aProjectWithCard()
  const failed = (await buy('pm_card_authenticationRequired')).result!
  expect(await settled()).toContainEqual(['3184', false, undefined])
  await world.answerChallenge(failed.clientSecret!, 'fail')
  await owner.cannot('completePayment', { subscriptionId }, 'cardDeclined')
  expect(await project()).toMatchObject({ plan_id: 'free', status: 'active' })
  expect(await settled()).toEqual([['4444', true, 'owner']])

  const passed = (await buy('pm_card_authenticationRequired')).result!
  await confirm(passed.clientSecret)
  expect(await settled()).toEqual([
    ['3184', true, 'owner'],
    ['4444', false, 'owner'],
  ])
  expect((await cardsInActivity(world, owner, subscriptionId))[0]).toBe('cardAdded 3184')
})

test('the card of an abandoned purchase is removed when the payment provider expires the purchase', async () => {
  const { world, owner, buy, settled } = await aProjectWithCard()
  await buy('pm_card_authenticationRequired')
  await world.passAtProvider(24 * 3600)
  expect(await settled()).toEqual([['4444', true, 'owner']])
  expect(await owner.projects()).toHaveLength(1)
})

test('a card with the same number is listed once, whether it was added by a purchase or on the cards page', async () => {
  const { world, owner, subscriptionId, buy, settled, row } = await aProjectWithCard()
  await buy('pm_card_visa')
  const again = await world.addCard(owner, subscriptionId, 'pm_card_visa')
  // The app makes the card the default by the id that it got when the card was added.
  await owner.call('setDefaultPaymentMethod', { subscriptionId, paymentMethodId: again })
  await world.addCard(owner, subscriptionId, 'pm_card_mastercard')
  expect(await settled()).toEqual([
    ['4242', true, 'owner'],
    ['4444', false, 'owner'],
  ])
  const { providerSubscriptionId } = await row()
  expect(
    await world.services.payments.findProviderSubscription(providerSubscriptionId!),
  ).toMatchObject({ hasCard: true, newCard: undefined })
  expect(await cardsInActivity(world, owner, subscriptionId)).toHaveLength(3)
})

test('a new card that pays an overdue week becomes the default, and a declined one changes nothing', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  const bad = await world.addCard(owner, subscriptionId, 'pm_card_chargeCustomerFail')
  const good = await world.addCard(owner, subscriptionId, 'pm_card_mastercard')
  await world.control({ charges: { fail: 1 } })
  await world.passAtProvider(7 * 24 * 3600 + 7200)
  const payWith = (paymentMethodId: string) =>
    owner.call('payInvoice', { subscriptionId, paymentMethodId })
  expect(reasonOf(await payWith(bad))).toBe('cardDeclined')
  expect((await cardsOf(owner, subscriptionId))[0]).toEqual(['4242', true, 'owner'])
  expect((await payWith(good)).result).toEqual({})
  expect((await cardsOf(owner, subscriptionId))[0]).toEqual(['4444', true, 'owner'])
  expect((await cardsInActivity(world, owner, subscriptionId))[0]).toBe('defaultCardChanged 4444')
})

test('a project whose Stripe customer was deleted has no billing details, and gets a new customer with the next purchase', async () => {
  const { world, owner, subscriptionId, buy, settled, previewed, row } = await aProjectWithCard()
  const { customerId } = await row()
  await world.services.payments.removeCustomer(customerId!)
  expect(await owner.does('getBillingDetails', { subscriptionId })).toMatchObject({
    name: '',
    credit: 0,
  })
  expect(await settled()).toEqual([])
  expect(await previewed('pro')).toMatchObject({ due: 1000 })
  expect((await buy('pm_card_visa')).result).toEqual({})
  expect(await settled()).toEqual([['4242', true, 'owner']])
  expect(await owner.does('getBillingDetails', { subscriptionId })).toMatchObject({
    name: 'Ann Archer',
  })
})

async function aWatchedWorld(environment: Record<string, string> = {}) {
  const logged = await aLoggedWorld('warn', environment)
  return { ...logged, owner: await logged.world.aPerson('owner') }
}

/** Moves a lookup key to another price, as `npm run stripe:setup` does for a new amount. */
async function movePrice(pool: pg.Pool, { active }: { active: boolean }) {
  const key = 'price_pro_weekly'
  await pool.query(
    `insert into sandbox.objects (id, body)
     select 'price_new', body || '{"id": "price_new", "unit_amount": 1200, "unit_amount_decimal": "1200"}' from sandbox.objects where id = $1`,
    [key],
  )
  await pool.query(`update sandbox.objects set body = body || $2 where id = $1`, [
    key,
    JSON.stringify({ active, lookup_key: null }),
  ])
}

test.each([{ active: false }, { active: true }])(
  'after a plan’s lookup key moved to another price, a running server sells the plan at that price (old price active: $active)',
  async (to) => {
    const { world, owner, lines } = await aWatchedWorld()
    await owner.pays()
    await movePrice(world.pool, to)
    if (to.active) world.pass(5 * 60_000)
    const { subscriptionId } = await owner.buys()
    const { invoices } = await owner.does('listInvoices', { subscriptionId })
    expect(invoices.map(({ total }) => total)).toEqual([1200])
    expect(lines.map(({ msg }) => msg)).toEqual(
      to.active ? [] : [expect.stringContaining('stripe:setup')],
    )
  },
)

test('a plan whose Stripe price is archived is not for sale, and the log names the command that fixes this', async () => {
  const { world, owner, lines } = await aWatchedWorld()
  await world.pool.query(
    `update sandbox.objects set body = body || '{"active": false}' where type = 'price'`,
  )
  expect(reasonOf(await owner.pays())).toBe('planNotForSale')
  expect(lines).toMatchObject([
    {
      level: 50,
      operation: 'POST /v1/subscriptions',
      status: 400,
      requestId: expect.stringMatching(/^req_/),
    },
  ])
  expect(await owner.projects()).toEqual([])
})

test('requests to Stripe that fail or are declined are counted in the metrics, and only failures are logged as warnings', async () => {
  const { world, owner, lines } = await aWatchedWorld({ METRICS_TOKEN: 'token-of-the-operator' })
  await owner.pays('pm_card_chargeDeclined')
  await world.untilWorkedOff()
  const { payments } = world.services
  const gone = await payments.createCustomer({ subscriptionId: newId(), attempt: newId() })
  await payments.removeCustomer(gone)
  await expect(payments.updateCustomer(gone, { language: 'de' })).rejects.toMatchObject({
    reason: 'customerNotFound',
  })
  expect(lines).toEqual([])
  await world.control({ api: { fault: 'break', times: 2 } })
  expect(reasonOf(await owner.pays())).toBe('paymentsUnavailable')
  expect(new Set(lines.map(({ level, operation, msg }) => [level, operation, msg].join()))).toEqual(
    new Set(['40,POST /v1/customers,the payment provider failed']),
  )
  const text = await (
    await world.request('/metrics', { headers: { authorization: 'Bearer token-of-the-operator' } })
  ).text()
  const counted = (operation: string, outcome: string) =>
    `app_provider_requests_total{provider="stripe",operation="${operation}",outcome="${outcome}"}`
  expect(text).toContain(`${counted('POST /v1/payment_methods/:id/attach', 'declined')} 1`)
  expect(text).toContain(`${counted('POST /v1/customers', 'unavailable')} 2`)
  expect(text).toContain('app_provider_request_duration_seconds_bucket')
})
