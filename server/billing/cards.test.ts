// @module-tag slow
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aWorldWith, reasonOf } from '../../tests/world.ts'

test('an owner can add a card, make it the default and delete the old card, but can’t delete the default card of a paid plan', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  const [visa] = await owner.cards(subscriptionId)
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
    (await owner.cards(subscriptionId)).map(({ card, isDefault }) => [card.brand, isDefault]),
  ).toEqual([
    ['mastercard', true],
    ['visa', false],
  ])
  expect((await call('deletePaymentMethod', visa!.id)).result).toEqual({})
  expect(await owner.cards(subscriptionId)).toHaveLength(1)
  expect(reasonOf(await call('deletePaymentMethod', visa!.id))).toBe('paymentMethodNotFound')
})

test('a project’s default card is charged', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  await world.payWith(owner, subscriptionId, 'pm_card_chargeCustomerFail')
  const refused = await owner.changesPlan(subscriptionId, 'enterprise')
  expect(reasonOf(refused)).toBe('cardDeclined')
  expect(await owner.project(subscriptionId)).toMatchObject({ plan_id: 'pro', payment: 'ok' })
})

test('every card call refuses the card of another customer', async () => {
  const [world, ann, mallory] = await aWorldWith('ann', 'mallory')
  const own = (await ann.buys()).subscriptionId
  const subscriptionId = (await mallory.buys()).subscriptionId
  const [foreign] = await ann.cards(own)
  const paymentMethodId = foreign!.id
  const input = { subscriptionId, paymentMethodId }
  for (const call of ['setDefaultPaymentMethod', 'deletePaymentMethod'] as const)
    await mallory.cannot(call, input, 'paymentMethodNotFound')
  await world.passAtProvider(1)
  expect(await ann.cards(own)).toHaveLength(1)
  const onFree = { ...(await mallory.starts()), paymentMethodId }
  await mallory.cannot('setDefaultPaymentMethod', onFree, 'paymentMethodNotFound')
})

test('a free project gets exactly one Stripe customer, when its first card is added', async () => {
  const { world, owner, subscriptionId } = await aBilledProject({ plan: 'free' })
  expect(await owner.cards(subscriptionId)).toEqual([])
  const intents = await Promise.all(
    [1, 2, 3].map(() => owner.call('createSetupIntent', { subscriptionId })),
  )
  expect(intents.map(({ status }) => status)).toEqual([200, 200, 200])
  await world.addCard(owner, subscriptionId, 'pm_card_visa')
  const [card] = await owner.cards(subscriptionId)
  await owner.does('setDefaultPaymentMethod', { subscriptionId, paymentMethodId: card!.id })
  await owner.does('deletePaymentMethod', { subscriptionId, paymentMethodId: card!.id })
})

test('an owner can’t remove a card while 3-D Secure of a payment with it is open', async () => {
  const { world, owner, subscriptionId, buy, project } = await aBilledProject({ plan: 'free' })
  const { clientSecret } = (await buy('pm_card_authenticationRequired')).result!
  const [card] = await owner.cards(subscriptionId)
  const remove = () =>
    owner.call('deletePaymentMethod', { subscriptionId, paymentMethodId: card!.id })
  expect(reasonOf(await remove())).toBe('defaultPaymentMethod')
  await world.control({ webhooks: { mode: 'hold' } })
  await world.answerChallenge(clientSecret!, 'succeed')
  expect(reasonOf(await remove())).toBe('defaultPaymentMethod')
  expect((await project()).plan_id).toBe('pro')
})

test('a week that was billed while the project had no card can be paid with a new card', async () => {
  const { world, owner, subscriptionId, row } = await aBilledProject()
  const [card] = await owner.cards(subscriptionId)
  const { customerId } = await row()
  // As an operator does in Stripe's dashboard.
  await world.services.payments.removeCard({ customerId: customerId!, cardId: card!.id })
  await world.passAtProvider(7 * 24 * 3600 + 7200)
  await owner.cannot('payInvoice', { subscriptionId }, 'paymentMethodNotFound')
  const paymentMethodId = await world.addCard(owner, subscriptionId, 'pm_card_visa')
  expect(await owner.does('payInvoice', { subscriptionId, paymentMethodId })).toEqual({})
})
