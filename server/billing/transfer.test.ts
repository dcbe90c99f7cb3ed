// @module-tag slow
import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { expect, test } from 'vitest'
import { aBilledProject, aDashboard, customersAt } from '../../tests/a-billed-project.ts'
import {
  aWorld,
  aWorldWith,
  openWorld,
  reasonOf,
  countOutcomes,
  type Person,
  type World,
} from '../../tests/world.ts'
import { isTransferring } from './transfer-state.ts'

const week = 7 * 24 * 3600

async function aSharedProject(own?: World) {
  const billed = await aBilledProject({ world: own })
  const { world, owner, subscriptionId } = billed
  const [admin, member, stranger] = await world.somePeople('admin', 'member', 'stranger')
  await world.addMember(subscriptionId, admin, ['editor', 'admin'])
  await world.addMember(subscriptionId, member, [])
  const transfer = (newOwnerId: string, keepCard = false, from = owner) =>
    from.call('transferSubscriptionOwnership', { subscriptionId, newOwnerId, keepCard })
  const cardsOf = (person: Person) => person.cards(subscriptionId)
  const project = () => admin.project(subscriptionId)
  const promote = ({ uid: userId }: Person) =>
    world.services.store.members.setPermissions({
      subscriptionId,
      userId,
      permissions: ['access', 'admin'],
    })
  return { ...billed, admin, member, stranger, transfer, cardsOf, project, promote }
}

/** The project's customer at the payment provider. */
async function customerOf(world: World, subscriptionId: string) {
  await world.untilWorkedOff()
  const customers = await customersAt(world)
  return customers.find((customer) => customer.metadata.subscriptionId === subscriptionId)!
}

test('when a project is transferred, both owners get a mail, the Stripe customer is updated, and the former owner stays administrator', async () => {
  const { world, owner, admin, subscriptionId, transfer, cardsOf, project } = await aSharedProject()
  expect((await transfer(admin.uid)).result).toEqual({})
  expect(await project()).toMatchObject({
    owner_id: admin.uid,
    permissions: { admin: [owner.uid, admin.uid], editor: [admin.uid] },
  })
  await owner.cannot('getPaymentMethods', { subscriptionId }, 'ownerOnly')
  expect(await cardsOf(admin)).toEqual([])
  expect(await customerOf(world, subscriptionId)).toMatchObject({ email: 'admin@example.com' })
  const [received] = await world.mails('admin@example.com')
  expect(received).toMatchObject({
    subject: 'You now own Untitled Project',
    text: expect.stringContaining('Add yours before'),
  })
  const [given] = await world.mails('owner@example.com')
  expect(given).toMatchObject({
    subject: 'admin now owns Untitled Project',
    text: expect.stringContaining('None of your cards stays'),
  })
  await owner.does('deleteAccount', { confirmationId: owner.uid })
})

test('a project whose plan is about to end is transferred without a date for a next charge', async () => {
  const world = await aWorld()
  const { admin, transfer, row } = await aSharedProject(world)
  const { stripe, advance } = await aDashboard(world)
  const plan = (await row()).providerSubscriptionId!
  await stripe.subscriptions.update(plan, { cancel_at_period_end: true })
  await advance(1)
  await world.untilWorkedOff()
  await transfer(admin.uid)
  await world.untilWorkedOff()
  const [{ text } = { text: '' }] = await world.mails('admin@example.com')
  expect(text).toContain('No payment is due right now.')
  expect(text).not.toMatch(/Add yours before|next payment is due/)
})

test('a project can only be transferred to another administrator', async () => {
  const { owner, member, stranger, transfer } = await aSharedProject()
  for (const uid of [owner.uid, member.uid, stranger.uid, 'nobody'])
    expect(reasonOf(await transfer(uid)), uid).toBe('notEligibleOwner')
})

test('when a project is transferred twice at once, one transfer succeeds', async () => {
  const { subscriptionId, admin, member, transfer, owner, promote } = await aSharedProject()
  await promote(member)
  const answers = await Promise.all([transfer(admin.uid), transfer(member.uid)])
  expect(countOutcomes(answers)).toEqual({ done: 1, ownerOnly: 1 })
  expect((await owner.project(subscriptionId)).owner_id).not.toBe(owner.uid)
})

test('when an owner changes their email address, the Stripe customer gets the new address', async () => {
  const { world, owner, subscriptionId } = await aSharedProject()
  await owner.call('updateEmail', { newEmail: 'new@example.com' })
  await world.openMail('new@example.com')
  expect(await customerOf(world, subscriptionId)).toMatchObject({ email: 'new@example.com' })
})

test('the Stripe customer has the language of the project’s current owner', async () => {
  const { world, owner, admin, subscriptionId, transfer } = await aSharedProject()
  const spoken = async () => (await customerOf(world, subscriptionId)).preferred_locales
  expect(await spoken()).toEqual([fallbackLanguage])
  const [language, { paymentLocale }] = Object.entries(languages).at(-1)!
  const told = { billing_email: 'books@example.com' }
  expect((await owner.updatesBilling(subscriptionId, told)).result).toEqual({})
  await owner.call('saveUser', { language: language as LanguageCode })
  expect(await spoken()).toEqual([paymentLocale])
  await transfer(admin.uid)
  expect(await spoken()).toEqual([fallbackLanguage])
})

test('a transfer without the former owner’s card removes all their cards, and the project needs a new card', async () => {
  const { world, owner, admin, subscriptionId, transfer, cardsOf, project, subjects } =
    await aSharedProject()
  await world.addCard(owner, subscriptionId, 'pm_card_mastercard')
  expect((await project()).needs_card).toBe(false)
  // As if an older webhook, processed during the transfer, had reported a card.
  await world.control({ api: { fault: 'break', times: 1000 } })
  await transfer(admin.uid, false)
  await world.services.store.billing.update(subscriptionId, { hasCard: true })
  await world.control({ reset: true })
  await admin.call('createSetupIntent', { subscriptionId })
  expect((await subjects(admin)).join()).not.toContain('Add a card')
  expect(await cardsOf(admin)).toEqual([])
  expect(await project()).toMatchObject({ needs_card: true, renews: expect.any(Number) })
  await world.passAtProvider(week + 7200)
  const invoices = await admin.invoices(subscriptionId)
  expect(invoices.map(({ status }) => status)).toEqual(['open', 'paid'])
  const card = await world.addCard(admin, subscriptionId, 'pm_card_visa')
  expect(await admin.does('payInvoice', { subscriptionId, paymentMethodId: card })).toEqual({})
  expect(await project()).toMatchObject({ needs_card: false, payment: 'ok' })
})

test('a card that the former owner left on the project is charged until the new owner makes their own card the default', async () => {
  const { world, owner, admin, subscriptionId, transfer, cardsOf, project } = await aSharedProject()
  await world.addCard(owner, subscriptionId, 'pm_card_mastercard')
  const [visa] = await cardsOf(owner)
  await transfer(admin.uid, true)
  const added_by = { id: owner.uid, name: 'owner' }
  expect(await cardsOf(admin)).toEqual([{ ...visa, isDefault: true, added_by }])
  await world.untilWorkedOff()
  const texts = await Promise.all(
    ['admin', 'owner'].map(async (name) => (await world.mails(`${name}@example.com`))[0]!.text),
  )
  for (const text of texts) expect(text).toContain('Visa ending in 4242')
  await world.passAtProvider(week + 7200)
  expect(await project()).toMatchObject({ needs_card: false, payment: 'ok' })
  const paymentMethodId = await world.addCard(admin, subscriptionId, 'pm_card_mastercard')
  expect(await cardsOf(admin)).toHaveLength(2)
  await admin.call('setDefaultPaymentMethod', { subscriptionId, paymentMethodId })
  expect(await cardsOf(admin)).toMatchObject([{ id: paymentMethodId, isDefault: true }])
})

test('an owner who transfers a project can’t leave the card of an earlier owner on it', async () => {
  const { owner, admin, member, transfer, cardsOf, promote } = await aSharedProject()
  await transfer(admin.uid, true)
  await promote(member)
  await transfer(member.uid, true, admin)
  expect(await cardsOf(member)).toEqual([])
  expect((await owner.does('listOwnPaymentMethods', {})).paymentMethods).toEqual([])
})

test('the new owner does not see the former owner’s billing name, address, email address and tax id', async () => {
  const { owner, admin, subscriptionId, transfer } = await aSharedProject()
  const tax_id = { type: 'eu_vat', value: 'DE123456789' } as const
  const told = { billing_email: 'books@example.com', tax_id }
  expect((await owner.updatesBilling(subscriptionId, told)).result).toEqual({})
  await transfer(admin.uid, true)
  const address = { line1: '', city: '', state: '', postal_code: '', country: '' }
  const untold = { name: '', phone: '', address, billing_email: null, tax_id: null }
  expect(await admin.does('getBillingDetails', { subscriptionId })).toMatchObject(untold)
})

test('a card that the former owner begins to add before a transfer is not added after it', async () => {
  const { world, owner, admin, subscriptionId, transfer, cardsOf } = await aSharedProject()
  const intents = await Promise.all(
    [1, 2].map(() => owner.call('createSetupIntent', { subscriptionId })),
  )
  const secrets = intents.map(({ result }) => result!.clientSecret)
  await transfer(admin.uid)
  for (const secret of secrets)
    expect(await world.confirmCard(secret, 'pm_card_mastercard')).toBeUndefined()
  expect(await cardsOf(admin)).toEqual([])
})

test('the new owner never gets a card that the former owner adds at the moment of the transfer', async () => {
  const { world, owner, admin, subscriptionId, transfer, cardsOf } = await aSharedProject()
  const add = async () => {
    const { result } = await owner.call('createSetupIntent', { subscriptionId })
    if (result) await world.confirmCard(result.clientSecret, 'pm_card_mastercard')
  }
  const [, , transferred] = await Promise.all([add(), add(), transfer(admin.uid), add()])
  expect(transferred.result).toEqual({})
  await world.untilWorkedOff()
  expect(await cardsOf(admin)).toEqual([])
})

test('a transfer drops a plan change that waits for 3-D Secure by the former owner', async () => {
  const { world, owner, admin, subscriptionId, transfer, cardsOf, project, change, row } =
    await aSharedProject()
  await world.payWith(owner, subscriptionId, 'pm_card_authenticationRequired')
  const { clientSecret } = (await change('enterprise')).result!
  await transfer(admin.uid)
  await world.answerChallenge(clientSecret!, 'succeed')
  await world.untilWorkedOff()
  expect(await project()).toMatchObject({ plan_id: 'pro', owner_id: admin.uid, needs_card: true })
  expect(await cardsOf(admin)).toEqual([])
  expect(await row()).toMatchObject({ nextPlanId: null, requestedBy: null })
})

test('a plan change, a renewal and a transfer at the same time each succeed completely or are refused', async () => {
  const { world, admin, transfer, cardsOf, project, change } = await aSharedProject()
  const [changed, transferred] = await Promise.all([
    change('enterprise'),
    transfer(admin.uid),
    world.passAtProvider(week + 7200),
  ])
  await world.untilWorkedOff()
  expect(transferred.result).toEqual({})
  expect([undefined, 'ownerOnly', 'planChangeNotPaid', 'paymentMethodNotFound']).toContain(
    reasonOf(changed),
  )
  expect(await project()).toMatchObject({
    plan_id: changed.result ? 'enterprise' : 'pro',
    owner_id: admin.uid,
    needs_card: true,
  })
  expect(await cardsOf(admin)).toEqual([])
})

test('a transfer succeeds while the payment provider is down, and the new owner never sees the former owner’s cards and billing details', async () => {
  const { world, owner, admin, subscriptionId, transfer, cardsOf } = await aSharedProject()
  // The database learns only after the transfer who added this card.
  const late = {
    id: await world.addCard(owner, subscriptionId, 'pm_card_mastercard'),
    card: { brand: 'mastercard', last4: '4444', exp_month: 1, exp_year: 2030 },
  }
  await world.control({ api: { fault: 500, times: 1000 } })
  expect((await transfer(admin.uid)).result).toEqual({})
  await admin.cannot('createSetupIntent', { subscriptionId }, 'paymentsUnavailable')
  await world.control({ reset: true })
  await world.services.store.cards.add({
    ...late,
    subscriptionId,
    addedBy: owner.uid,
    now: new Date(),
  })
  expect(await cardsOf(admin)).toEqual([])
  expect(await admin.does('getBillingDetails', { subscriptionId })).toMatchObject({ name: '' })
  const card = await world.addCard(admin, subscriptionId, 'pm_card_mastercard')
  expect(await cardsOf(admin)).toMatchObject([{ id: card }])
  expect(await admin.does('getBillingDetails', { subscriptionId })).toMatchObject({ name: '' })
  expect((await owner.does('listOwnPaymentMethods', {})).paymentMethods).toEqual([])
})

test('after a crash during a transfer, the next server finishes the transfer', async () => {
  const [world, owner, admin] = await aWorldWith('owner', 'admin')
  const { subscriptionId } = await owner.buys()
  await world.addMember(subscriptionId, admin, ['admin'])
  const { customerId } = (await world.services.store.billing.find(subscriptionId))!
  await world.control({ api: { fault: 'break', times: 1000 } })
  await owner.transfers(subscriptionId, admin)
  await world.stop()
  const next = await openWorld(world.connection)
  await next.control({ reset: true })
  const cards = () => next.services.payments.listCards(customerId!)
  await expect.poll(cards, { timeout: 20_000 }).toEqual([])
  // The job has failed before, so `untilWorkedOff` does not wait for it.
  const isUnfinished = () => isTransferring(subscriptionId, next.services)
  await expect.poll(isUnfinished, { timeout: 20_000 }).toBe(false)
  await next.untilWorkedOff()
  expect(
    (await next.does('getSubscription', { subscriptionId }, admin)).subscription.needs_card,
  ).toBe(true)
})
