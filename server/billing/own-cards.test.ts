// @module-tag slow
import { expect, test, vi } from 'vitest'
import { aBilledProject, aDashboard } from '../../tests/a-billed-project.ts'
import { aWorld, billingInfo, reasonOf, type Person, type World } from '../../tests/world.ts'

/** Ann has transferred her paid project to Bob. Her card still pays for it. */
async function aHandedOverProject(own?: World) {
  const { owner: ann, ...billed } = await aBilledProject({ world: own })
  const { world, subscriptionId } = billed
  const [bob, stranger] = await world.somePeople('bob', 'stranger')
  await world.addMember(subscriptionId, bob, ['admin'])
  const [card] = await ann.cards(subscriptionId)
  await ann.call('transferSubscriptionOwnership', {
    subscriptionId,
    newOwnerId: bob.uid,
    keepCard: true,
  })
  const remove = (person: Person, paymentMethodId = card!.id) =>
    person.call('deleteOwnPaymentMethod', { subscriptionId, paymentMethodId })
  const project = async () => await bob.project(subscriptionId)
  return { ...billed, ann, bob, stranger, card: card!, remove, project }
}

async function ownOf(person: Person) {
  return (await person.does('listOwnPaymentMethods', {})).paymentMethods
}

/** Stores who added the project's cards, as a webhook would. */
async function note(world: World, person: Person, subscriptionId: string) {
  for (const card of await person.cards(subscriptionId))
    await world.services.store.cards.add({
      ...card,
      subscriptionId,
      addedBy: person.uid,
      now: new Date(),
    })
}

test('a former owner can remove their card: the new owner is mailed, and the project needs another card', async () => {
  const { ann, bob, subscriptionId, card, remove, project, subjects } = await aHandedOverProject()
  const { id, card: shown } = card
  const project_ = { subscription_id: subscriptionId, subscription_name: '' }
  const known = { id, isDefault: true, card: shown, ...project_ }
  expect(await ownOf(ann)).toEqual([{ ...known, standing: 'member', pays_plan: true }])
  expect(await ownOf(bob)).toEqual([])
  expect((await remove(ann)).result).toEqual({})
  expect(await ownOf(ann)).toEqual([])
  expect(await bob.cards(subscriptionId)).toEqual([])
  expect(await project()).toMatchObject({ needs_card: true, status: 'active' })
  expect(
    (await subjects(bob)).filter((subject) =>
      subject.startsWith('Add a card for Untitled Project'),
    ),
  ).toHaveLength(1)
  expect((await subjects(ann)).filter((subject) => subject.startsWith('Add a card'))).toEqual([])
  const { activity } = await bob.does('listActivity', { subscriptionId, area: 'billing' })
  expect(activity[0]).toMatchObject({
    kind: 'cardRemoved',
    actor: { id: ann.uid },
    details: { brand: 'visa', last4: '4242' },
  })
})

test('only the former owner can remove the card they left; others are refused at once', async () => {
  const { world, bob, stranger, subscriptionId, card, remove } = await aHandedOverProject()
  const { store, now } = world.services
  // A job of the transfer may still hold the billing lease, or try again to get it.
  const lease = await vi.waitUntil(
    () => {
      const until = new Date(now().getTime() + 60_000)
      return store.billing.acquireLease(subscriptionId, { by: 'another', now: now(), until })
    },
    { timeout: 30_000 },
  )
  for (const person of [stranger, bob])
    expect(reasonOf(await remove(person))).toBe('paymentMethodNotFound')
  await store.billing.releaseLease(lease)
  expect(await bob.cards(subscriptionId)).toMatchObject([{ id: card.id }])
})

test('a user can remove their card from a project after they left it, and after it was canceled', async () => {
  const { ann, bob, subscriptionId, remove } = await aHandedOverProject()
  await ann.call('leaveSubscription', { subscriptionId })
  expect(await ownOf(ann)).toMatchObject([{ standing: null, pays_plan: true }])
  await bob.cancels(subscriptionId)
  expect(await ownOf(ann)).toMatchObject([{ standing: null, pays_plan: false }])
  expect((await remove(ann)).result).toEqual({})
  expect(await ownOf(ann)).toEqual([])
})

test('an owner can remove every card but the default one, and the default one after canceling the project', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  const mastercard = await world.addCard(owner, subscriptionId, 'pm_card_mastercard')
  await note(world, owner, subscriptionId)
  const [visa] = await owner.cards(subscriptionId)
  const remove = (paymentMethodId: string) =>
    owner.call('deleteOwnPaymentMethod', { subscriptionId, paymentMethodId })
  expect(reasonOf(await remove(visa!.id))).toBe('defaultPaymentMethod')
  expect((await remove(mastercard)).result).toEqual({})
  await owner.cancels(subscriptionId)
  expect((await ownOf(owner)).map(({ id }) => id)).toEqual([visa!.id])
  expect((await remove(visa!.id)).result).toEqual({})
  expect(await owner.cards(subscriptionId)).toEqual([])
})

test('a card that was removed in Stripe’s dashboard is not listed, and a call to remove it succeeds', async () => {
  const { world, ann, card, remove, row } = await aHandedOverProject()
  const { customerId, providerSubscriptionId } = await row()
  // As an operator does in Stripe's dashboard.
  await world.services.payments.removeCard({
    customerId: customerId!,
    providerSubscriptionId: providerSubscriptionId!,
    cardId: card.id,
  })
  expect(await ownOf(ann)).toEqual([])
  expect((await remove(ann)).result).toEqual({})
  expect(reasonOf(await remove(ann))).toBe('paymentMethodNotFound')
})

test('after a user deletes their account, their cards are no longer charged', async () => {
  const { world, ann, bob, subscriptionId, card, project, subjects } = await aHandedOverProject()
  const { data } = await ann.does('exportUser', {})
  expect(data['payment_methods']).toMatchObject([
    { id: card.id, subscription_id: subscriptionId, card: { brand: 'visa', last4: '4242' } },
  ])
  await ann.does('deleteAccount', { confirmationId: ann.uid })
  await world.untilWorkedOff()
  expect(await bob.cards(subscriptionId)).toEqual([])
  expect(await project()).toMatchObject({ needs_card: true })
  expect((await subjects(bob))[0]).toMatch(/^Add a card for Untitled Project before/)
})

test('a project that will not be charged needs no card', async () => {
  const { ann, world, subscriptionId, remove, project } = await aHandedOverProject()
  await remove(ann)
  const { renewsAt } = (await world.services.store.billing.find(subscriptionId))!
  for (const [change, needs_card] of [
    [{ collectionPaused: false }, true],
    [{ collectionPaused: true }, false],
    [{ collectionPaused: false, endsAt: renewsAt }, false],
  ] as const) {
    await world.services.store.billing.update(subscriptionId, change)
    expect(await project()).toMatchObject({ needs_card })
  }
})

test('no mail asks for a card while the plan is about to end, but one does when it goes on', async () => {
  const world = await aWorld()
  const { ann, bob, remove, row, subjects } = await aHandedOverProject(world)
  const { stripe, advance } = await aDashboard(world)
  const plan = (await row()).providerSubscriptionId!
  const asked = async () =>
    (await subjects(bob)).filter((subject) => subject.startsWith('Add a card')).length
  const ends = async (cancel_at_period_end: boolean) => {
    await stripe.subscriptions.update(plan, { cancel_at_period_end })
    await advance(1)
  }
  await ends(true)
  await remove(ann)
  expect(await asked()).toBe(0)
  await ends(false)
  expect(await asked()).toBe(1)
})

test('a former owner can remove their card at the moment when the new owner makes another card the default', async () => {
  const { world, ann, bob, subscriptionId, remove, project } = await aHandedOverProject()
  const paymentMethodId = await world.addCard(bob, subscriptionId, 'pm_card_mastercard')
  const [removed, made] = await Promise.all([
    remove(ann),
    bob.call('setDefaultPaymentMethod', { subscriptionId, paymentMethodId }),
  ])
  expect([undefined, 'paymentMethodNotFound']).toContain(reasonOf(removed))
  expect(made.result).toEqual({})
  expect(await bob.cards(subscriptionId)).toMatchObject([{ id: paymentMethodId, isDefault: true }])
  await world.untilWorkedOff()
  expect(await project()).toMatchObject({ needs_card: false })
})

test.each(['pm_card_mastercard', 'pm_card_authenticationRequired'])(
  'a new owner who buys a plan with %s does not see the cards of the former owner',
  async (bought) => {
    const { world, ann, bob, subscriptionId } = await aHandedOverProject()
    const change = (planId: string, more = {}) =>
      bob.call('changeSubscriptionPlan', { subscriptionId, planId, ...more })
    expect((await change('free')).result).toEqual({})
    expect(await ownOf(ann)).toMatchObject([{ isDefault: true, pays_plan: false }])
    const { result } = await change('pro', { billingInfo: billingInfo(bought) })
    if (result!.clientSecret !== undefined) {
      await world.answerChallenge(result!.clientSecret, 'succeed')
      expect(await bob.does('completePayment', { subscriptionId })).toEqual({})
    }
    expect(await ownOf(ann)).toEqual([])
    expect(await bob.cards(subscriptionId)).toMatchObject([{ isDefault: true }])
  },
)
