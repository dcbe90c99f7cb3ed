import { expect, test } from 'vitest'
import { aWorld, billingInfo, pay, reasonOf, type Person } from '../../tests/world.ts'

async function cardsOf(owner: Person, subscriptionId: string) {
  return (await owner.does('getPaymentMethods', { subscriptionId })).paymentMethods
}

test('a card is added, made the default, and the old one deleted; the default stays while the plan is paid', async () => {
  const world = await aWorld()
  const owner = await world.aPerson()
  const { subscriptionId } = (await pay(owner, 'pm_card_visa')).result!
  const [visa] = await cardsOf(owner, subscriptionId)
  expect(visa).toMatchObject({
    isDefault: true,
    card: { brand: 'visa', last4: '4242', exp_month: expect.any(Number) },
  })
  const added = await world.addCard(owner, subscriptionId, 'pm_card_mastercard')
  const call = (name: 'setDefaultPaymentMethod' | 'deletePaymentMethod', paymentMethodId: string) =>
    owner.call(name, { subscriptionId, paymentMethodId })
  expect(reasonOf(await call('deletePaymentMethod', visa!.id))).toBe('defaultPaymentMethod')
  expect((await call('setDefaultPaymentMethod', added)).result).toEqual({})
  expect(
    (await cardsOf(owner, subscriptionId)).map(({ card, isDefault }) => [card.brand, isDefault]),
  ).toEqual([
    ['mastercard', true],
    ['visa', false],
  ])
  expect((await call('deletePaymentMethod', visa!.id)).result).toEqual({})
  expect(await cardsOf(owner, subscriptionId)).toHaveLength(1)
  expect(reasonOf(await call('deletePaymentMethod', visa!.id))).toBe('paymentMethodNotFound')
})

test('the default card is the one that is charged', async () => {
  const world = await aWorld()
  const owner = await world.aPerson()
  const { subscriptionId } = (await pay(owner, 'pm_card_visa')).result!
  const paymentMethodId = await world.addCard(owner, subscriptionId, 'pm_card_chargeCustomerFail')
  await owner.call('setDefaultPaymentMethod', { subscriptionId, paymentMethodId })
  const refused = await owner.call('changeSubscriptionPlan', {
    subscriptionId,
    planId: 'enterprise',
  })
  expect(reasonOf(refused)).toBe('cardDeclined')
  const { subscription } = await owner.does('getSubscription', { subscriptionId })
  expect(subscription).toMatchObject({ plan_id: 'pro', payment: 'ok' })
})

test('every card call refuses the card of another customer', async () => {
  const world = await aWorld()
  const [ann, mallory] = [await world.aPerson('ann'), await world.aPerson('mallory')]
  const own = (await pay(ann, 'pm_card_visa')).result!.subscriptionId
  const subscriptionId = (await pay(mallory, 'pm_card_visa')).result!.subscriptionId
  const [foreign] = await cardsOf(ann, own)
  const paymentMethodId = foreign!.id
  expect(
    await mallory.refusal('setDefaultPaymentMethod', { subscriptionId, paymentMethodId }),
  ).toBe('paymentMethodNotFound')
  expect(await mallory.refusal('deletePaymentMethod', { subscriptionId, paymentMethodId })).toBe(
    'paymentMethodNotFound',
  )
  await world.passAtProvider(1)
  expect(await cardsOf(ann, own)).toHaveLength(1)
  const free = (await mallory.does('createSubscription', { planId: 'free' })).subscriptionId
  expect(
    await mallory.refusal('setDefaultPaymentMethod', { subscriptionId: free, paymentMethodId }),
  ).toBe('paymentMethodNotFound')
})

test('a free project gets one customer, with its first card', async () => {
  const world = await aWorld()
  const owner = await world.aPerson()
  const { subscriptionId } = await owner.does('createSubscription', { planId: 'free' })
  expect(await cardsOf(owner, subscriptionId)).toEqual([])
  const intents = await Promise.all(
    [1, 2, 3].map(() => owner.call('createSetupIntent', { subscriptionId })),
  )
  expect(intents.map(({ status }) => status)).toEqual([200, 200, 200])
  await world.addCard(owner, subscriptionId, 'pm_card_visa')
  const [card] = await cardsOf(owner, subscriptionId)
  await owner.does('setDefaultPaymentMethod', { subscriptionId, paymentMethodId: card!.id })
  await owner.does('deletePaymentMethod', { subscriptionId, paymentMethodId: card!.id })
})

test('the card of a payment that the bank is confirming can not be removed', async () => {
  const world = await aWorld()
  const owner = await world.aPerson()
  const { subscriptionId } = await owner.does('createSubscription', { planId: 'free' })
  const asked = {
    subscriptionId,
    planId: 'pro',
    billingInfo: billingInfo('pm_card_authenticationRequired'),
  }
  const { clientSecret } = await owner.does('changeSubscriptionPlan', asked)
  const [card] = await cardsOf(owner, subscriptionId)
  const remove = () =>
    owner.call('deletePaymentMethod', { subscriptionId, paymentMethodId: card!.id })
  expect(reasonOf(await remove())).toBe('defaultPaymentMethod')
  await world.control({ webhooks: { mode: 'hold' } })
  await world.answerChallenge(clientSecret!, 'succeed')
  expect(reasonOf(await remove())).toBe('defaultPaymentMethod')
  expect((await owner.does('getSubscription', { subscriptionId })).subscription.plan_id).toBe('pro')
})

test('a week without a card is paid with a new card', async () => {
  const world = await aWorld()
  const owner = await world.aPerson()
  const { subscriptionId } = (await pay(owner, 'pm_card_visa')).result!
  const [card] = await cardsOf(owner, subscriptionId)
  const { customerId } = (await world.services.store.billing.find(subscriptionId))!
  // By hand at the provider.
  await world.services.payments.removeCard({
    customerId: customerId!,
    providerSubscriptionId: undefined,
    cardId: card!.id,
  })
  await world.passAtProvider(7 * 24 * 3600 + 7200)
  expect(await owner.refusal('payInvoice', { subscriptionId })).toBe('paymentMethodNotFound')
  const paymentMethodId = await world.addCard(owner, subscriptionId, 'pm_card_visa')
  expect((await owner.call('payInvoice', { subscriptionId, paymentMethodId })).result).toEqual({})
})
