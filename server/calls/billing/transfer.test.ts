import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { expect, test } from 'vitest'
import { aWorld, billingInfo, pay, reasonOf, refusedWith } from '../../../tests/world.ts'

async function aSharedProject() {
  const world = await aWorld()
  const owner = await world.aPerson('owner')
  const { subscriptionId } = (await pay(owner, 'pm_card_visa')).result!
  const [admin, member, stranger] = [await world.aPerson('admin'), await world.aPerson('member'), await world.aPerson('stranger')]
  const { store, now } = world.services
  await store.members.add({ subscriptionId, userId: admin.uid, permissions: ['access', 'editor', 'admin'], now: now() })
  await store.members.add({ subscriptionId, userId: member.uid, permissions: ['access'], now: now() })
  const transfer = (newOwnerId: string) => owner.call('transferSubscriptionOwnership', { subscriptionId, newOwnerId })
  return { world, owner, admin, member, stranger, subscriptionId, transfer }
}

/** What the provider knows the customer by. */
async function customerOf(world: Awaited<ReturnType<typeof aWorld>>, subscriptionId: string) {
  await world.untilWorkedOff()
  const { customers } = (await (await world.request('/sandbox/control.json')).json()) as {
    customers: { subscriptionId: string; email: string; preferred_locales: string[] }[]
  }
  return customers.find((customer) => customer.subscriptionId === subscriptionId)!
}

test('an administrator becomes the owner: both are told, the customer follows, the old owner stays administrator', async () => {
  const { world, owner, admin, subscriptionId, transfer } = await aSharedProject()
  expect((await transfer(admin.uid)).result).toEqual({})
  const { subscription } = (await admin.call('getSubscription', { subscriptionId })).result!
  expect(subscription).toMatchObject({ owner_id: admin.uid, permissions: { admin: [owner.uid, admin.uid], editor: [admin.uid] } })
  expect(reasonOf(await owner.call('getPaymentMethods', { subscriptionId }))).toBe('ownerOnly')
  expect((await admin.call('getPaymentMethods', { subscriptionId })).result!.paymentMethods).toHaveLength(1)
  expect(await customerOf(world, subscriptionId)).toMatchObject({ email: 'admin@example.com' })
  const [received] = await world.mails('admin@example.com')
  expect(received).toMatchObject({ subject: 'You now own Untitled Project', text: expect.stringContaining('Visa ending in 4242') })
  expect((await world.mails('owner@example.com'))[0]!.subject).toBe('admin now owns Untitled Project')
  expect((await owner.call('deleteAccount', { confirmationId: owner.uid })).status).toBe(200)
})

test('only an active administrator other than the owner can be named', async () => {
  const { owner, member, stranger, transfer, admin, subscriptionId } = await aSharedProject()
  for (const uid of [owner.uid, member.uid, stranger.uid, 'nobody']) expect(reasonOf(await transfer(uid)), uid).toBe('notEligibleOwner')
  expect(reasonOf(await admin.call('transferSubscriptionOwnership', { subscriptionId, newOwnerId: admin.uid }))).toBe('ownerOnly')
})

test('of two transfers at once one is done', async () => {
  const { world, subscriptionId, admin, member, transfer, owner } = await aSharedProject()
  await world.services.store.members.setPermissions({ subscriptionId, userId: member.uid, permissions: ['access', 'admin'] })
  const answers = await Promise.all([transfer(admin.uid), transfer(member.uid)])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(refusedWith('ownerOnly'))).toHaveLength(1)
  expect((await owner.call('getSubscription', { subscriptionId })).result!.subscription.owner_id).not.toBe(owner.uid)
})

test('when the owner’s address changes, the customer follows', async () => {
  const { world, owner, subscriptionId } = await aSharedProject()
  await owner.call('updateEmail', { newEmail: 'new@example.com' })
  await world.call('applyActionCode', { oobCode: await world.mailedCode('new@example.com') })
  expect(await customerOf(world, subscriptionId)).toMatchObject({ email: 'new@example.com' })
})

test('the provider knows the language of the owner, and follows when it or the owner is another one', async () => {
  const { world, owner, admin, subscriptionId, transfer } = await aSharedProject()
  const spoken = async () => (await customerOf(world, subscriptionId)).preferred_locales
  expect(await spoken()).toEqual([languages[fallbackLanguage].paymentLocale])
  const [language, { paymentLocale }] = Object.entries(languages).at(-1)!
  const details = { ...billingInfo('x').billingDetails, billing_email: 'books@example.com' }
  expect((await owner.call('updateBillingDetails', { subscriptionId, ...details })).status).toBe(200)
  await owner.call('saveUser', { language: language as LanguageCode })
  expect(await spoken()).toEqual([paymentLocale])
  await transfer(admin.uid)
  expect(await spoken()).toEqual([languages[fallbackLanguage].paymentLocale])
})
