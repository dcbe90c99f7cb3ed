import { expect, test } from 'vitest'
import { holdMails } from '../jobs.ts'
import { aWorld, reasonOf, type Person } from '../world.ts'
import { aSoldProject } from './a-sold-project.ts'

const day = 24 * 3_600_000

async function anOffer(wish: Parameters<typeof aSoldProject>[0] & { keepCard?: boolean } = {}) {
  const { keepCard = false, ...sold } = wish
  const project = await aSoldProject(sold)
  const { world, owner, subscriptionId } = project
  const [heir, other] = await world.somePeople('heir', 'other')
  for (const person of [heir, other]) await world.addMember(subscriptionId, person, ['admin'])
  const offer = (to: Person, keepCard = false) =>
    owner.call('transferSubscriptionOwnership', { subscriptionId, newOwnerId: to.uid, keepCard })
  expect((await offer(heir, keepCard)).result).toEqual({ offered: true })
  const accept = (by = heir) => by.call('acceptOwnership', { subscriptionId })
  const end = (by: Person) => by.call('endOwnershipOffer', { subscriptionId })
  const seenBy = async (person: Person) =>
    (await person.does('getOwnershipOffer', { subscriptionId })).offer
  const ownerId = async () => (await owner.project(subscriptionId)).owner_id
  return { ...project, heir, other, offer, accept, end, seenBy, ownerId }
}

test('an offered project stays its owner’s until the other accepts, who then adds a card', async () => {
  const { world, owner, heir, subscriptionId, accept, ownerId, seenBy } = await anOffer()
  expect(await ownerId()).toBe(owner.uid)
  expect(await owner.cards(subscriptionId)).toHaveLength(1)
  await heir.cannot('getPaymentMethods', { subscriptionId }, 'ownerOnly')
  const [asked] = await world.mails(heir.email)
  expect(asked).toMatchObject({
    subject: 'owner offers you Untitled Project',
    text: expect.stringContaining('Until you accept, owner owns it and pays for it.'),
  })
  expect((await accept()).result).toEqual({})
  expect(await ownerId()).toBe(heir.uid)
  expect(await seenBy(heir)).toBeNull()
  await world.untilWorkedOff()
  expect(await heir.cards(subscriptionId)).toEqual([])
  await world.addCard(heir, subscriptionId, 'pm_card_mastercard')
  expect(await heir.cards(subscriptionId)).toHaveLength(1)
  expect((await world.mails(owner.email)).map(({ subject }) => subject)).toContain(
    'heir now owns Untitled Project',
  )
  const { activity } = await heir.does('listActivity', { subscriptionId })
  expect(activity.find(({ kind }) => kind === 'ownershipAccepted')).toMatchObject({
    actor: { name: 'heir' },
    subject: 'owner',
  })
})

test('only the two sides of an offer see it, and only they can end it', async () => {
  const { heir, owner, other, seenBy, end, accept, ownerId } = await anOffer()
  const offer = { to: { id: heir.uid, name: 'heir' }, keeps_card: false }
  for (const side of [owner, heir]) expect(await seenBy(side)).toMatchObject(offer)
  expect(await seenBy(other)).toBeNull()
  for (const answer of [await end(other), await accept(other)])
    expect(reasonOf(answer)).toBe('ownershipNotOffered')
  expect((await end(heir)).result).toEqual({})
  expect(reasonOf(await accept())).toBe('ownershipNotOffered')
  expect(reasonOf(await end(owner))).toBe('ownershipNotOffered')
  expect(await ownerId()).toBe(owner.uid)
})

test('the owner learns by mail and in the activity who has declined an offer', async () => {
  const { world, owner, heir, end, kinds } = await anOffer()
  await end(heir)
  const [told] = await world.mails(owner.email)
  expect(told).toMatchObject({ subject: 'heir has declined Untitled Project' })
  expect(await kinds()).toEqual(['ownershipDeclined', 'ownershipOffered'])
})

test('an offer that is taken back before its mail leaves is not mailed', async () => {
  const world = await aWorld()
  const { owner, heir, offer, end, kinds } = await anOffer({ world })
  const mailed = async () => (await world.mails(heir.email)).length
  const before = await mailed()
  const comeBack = await holdMails(world)
  await offer(heir)
  expect((await end(owner)).result).toEqual({})
  await comeBack()
  expect(await mailed()).toBe(before)
  expect((await kinds())[0]).toBe('ownershipOfferEnded')
})

test('an offer to somebody else replaces the former one', async () => {
  const { heir, other, offer, accept, ownerId } = await anOffer()
  await offer(other)
  expect(reasonOf(await accept(heir))).toBe('ownershipNotOffered')
  expect((await accept(other)).result).toEqual({})
  expect(await ownerId()).toBe(other.uid)
})

test('an offer ends after a week, and with the role or the membership of the other', async () => {
  const late = await anOffer()
  late.world.pass(7 * day)
  const [there, owns] = [
    await late.world.signedIn(late.heir),
    await late.world.signedIn(late.owner),
  ]
  expect(reasonOf(await late.accept(there))).toBe('ownershipNotOffered')
  expect(await late.seenBy(owns)).toBeNull()

  const { owner, heir, subscriptionId, world, accept, offer } = await anOffer()
  const change = (permissions: ('access' | 'admin')[]) =>
    owner.does('updateUserPermissions', { subscriptionId, userId: heir.uid, permissions })
  await change([])
  expect(reasonOf(await accept())).toBe('adminOnly')
  await change(['admin'])
  expect(reasonOf(await accept())).toBe('ownershipNotOffered')
  await offer(heir)
  await owner.does('removeUser', { subscriptionId, userId: heir.uid })
  expect(reasonOf(await accept())).toBe('accessDenied')
  await world.addMember(subscriptionId, heir, ['admin'])
  expect(reasonOf(await accept())).toBe('ownershipNotOffered')
})

test('an offer is gone with the project, and can be accepted no more', async () => {
  const { cancel, accept, end, heir } = await anOffer()
  await cancel('now')
  expect(reasonOf(await accept())).toBe('subscriptionCanceled')
  expect(reasonOf(await end(heir))).toBe('subscriptionCanceled')
})

test('a person who accepts an offer twice, as after a lost answer, becomes the owner once', async () => {
  const { world, heir, owner, accept, kinds } = await anOffer()
  expect((await accept()).result).toEqual({})
  expect((await accept()).result).toEqual({})
  await heir.does('listOwnPaymentMethods', {})
  expect((await kinds()).filter((kind) => kind === 'ownershipAccepted')).toHaveLength(1)
  const subjects = (await world.mails(owner.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.startsWith('heir now owns'))).toHaveLength(1)
})

test('a card that is left with the offer pays on, but not another that became the default', async () => {
  const kept = await anOffer({ keepCard: true })
  expect(await kept.seenBy(kept.heir)).toMatchObject({ keeps_card: true })
  await kept.accept()
  await kept.world.untilWorkedOff()
  expect(await kept.heir.cards(kept.subscriptionId)).toMatchObject([
    { isDefault: true, added_by: { id: kept.owner.uid } },
  ])

  const changed = await anOffer({ keepCard: true })
  const paymentMethodId = await changed.world.addCard(
    changed.owner,
    changed.subscriptionId,
    'pm_card_mastercard',
  )
  await changed.owner.does('setDefaultPaymentMethod', {
    subscriptionId: changed.subscriptionId,
    paymentMethodId,
  })
  await changed.accept()
  await changed.world.untilWorkedOff()
  expect(await changed.heir.cards(changed.subscriptionId)).toEqual([])
})

test('an offer has to fit the other when it is made, and again when it is accepted', async () => {
  const { owner, heir, other, subscriptionId, accept, seenBy } = await anOffer({ plan: 'free' })
  for (const newOwnerId of [owner.uid, 'nobody'])
    await owner.cannot(
      'transferSubscriptionOwnership',
      { subscriptionId, newOwnerId },
      'notEligibleOwner',
    )
  expect(await seenBy(heir)).not.toBeNull()
  for (
    let count = 0;
    reasonOf(await heir.call('createSubscription', { planId: 'free' })) === undefined;
    count++
  )
    expect(count).toBeLessThan(50)
  expect(reasonOf(await accept())).toBe('tooManyProjects')
  expect(reasonOf(await accept(other))).toBe('ownershipNotOffered')
})
