// @module-tag slow
import { limits } from '#config/limits.ts'
import type { Activity } from '#contract/entries.ts'
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import {
  aProject,
  aWorldWith,
  billingInfo,
  reasonOf,
  countOutcomes,
  type Person,
} from '../../tests/world.ts'
import { record } from './record.ts'
import { otherJobs } from '../jobs/jobs.ts'
import { billingJobs } from '../billing/jobs.ts'
import { receiveEvent } from '../billing/sync.ts'

/** The project's activity entries, oldest first. */
async function activityIn(subscriptionId: string, admin: Person) {
  return (await admin.does('exportActivity', { subscriptionId })).activity.toReversed()
}

async function ownActivity(person: Person) {
  return (await person.does('exportOwnActivity', {})).activity.toReversed()
}

function inShort({ kind, actor, subject, details }: Activity) {
  return [kind, actor?.name, subject, details]
}

function kindsOf(activity: Activity[]) {
  return activity.map(({ kind }) => kind)
}

async function invite(host: Person, subscriptionId: string, email: string) {
  return await host.invites(subscriptionId, email, ['editor'])
}

test('a project’s activity log shows its creation, changed settings, a transfer and its cancellation', async () => {
  const [world, ann, bob] = await aWorldWith('ann', 'bob')
  const { subscriptionId } = await ann.starts()
  for (const _ of ['once', 'again']) await ann.renames(subscriptionId, 'Bridge')
  await world.addMember(subscriptionId, bob, ['admin'])
  await ann.transfers(subscriptionId, bob)
  await bob.cancels(subscriptionId)
  const activity = await activityIn(subscriptionId, ann)
  expect(activity.map(inShort)).toEqual([
    ['projectCreated', 'ann', null, { plan: 'free' }],
    ['settingsChanged', 'ann', null, { fields: ['name'], from: '', to: 'Bridge' }],
    ['ownershipTransferred', 'ann', 'bob', {}],
    ['projectCanceled', 'bob', null, { because: 'asked' }],
  ])
  expect(activity[0]).toEqual({
    id: expect.any(String),
    created: expect.any(Number),
    kind: 'projectCreated',
    actor: { id: ann.uid, name: 'ann' },
    subject: null,
    subscription: { id: subscriptionId, name: 'Bridge' },
    details: { plan: 'free' },
  })
})

test('a project’s activity log shows each invitation with its outcome, and members who join, leave or get other permissions', async () => {
  const { world, id, owner } = await aProject()
  const [bob, carl, dan] = await world.somePeople('bob', 'carl', 'dan')
  const toBob = await invite(owner, id, bob.email)
  await owner.call('resendInvite', { subscriptionId: id, ...toBob })
  await bob.call('acceptInvite', toBob)
  for (const _ of ['once', 'again']) await owner.permits(id, bob, ['editor', 'admin'])
  await carl.call('rejectInvite', await invite(bob, id, carl.email))
  await bob.call('revokeInvite', {
    subscriptionId: id,
    ...(await invite(bob, id, 'eve@example.com')),
  })
  await dan.call('acceptInvite', await invite(bob, id, dan.email))
  await bob.call('removeUser', { subscriptionId: id, userId: dan.uid })
  await bob.call('leaveSubscription', { subscriptionId: id })
  const invited = { permissions: ['access', 'editor'] }
  const change = { from: ['access', 'editor'], to: ['access', 'editor', 'admin'] }
  expect((await activityIn(id, owner)).map(inShort)).toEqual([
    ['inviteSent', 'owner', bob.email, invited],
    ['inviteResent', 'owner', bob.email, {}],
    ['memberJoined', 'bob', null, invited],
    ['permissionsChanged', 'owner', 'bob', change],
    ['inviteSent', 'bob', carl.email, invited],
    ['inviteRejected', 'carl', carl.email, {}],
    ['inviteSent', 'bob', 'eve@example.com', invited],
    ['inviteRevoked', 'bob', 'eve@example.com', {}],
    ['inviteSent', 'bob', dan.email, invited],
    ['memberJoined', 'dan', null, invited],
    ['memberRemoved', 'bob', 'dan', {}],
    ['memberLeft', 'bob', null, {}],
  ])
})

test('a project’s activity log names the person who changed its plan, cards or billing details', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  await world.passAtProvider(1)
  await owner.changesPlan(subscriptionId, 'enterprise')
  const paymentMethodId = await world.addCard(owner, subscriptionId, 'pm_card_mastercard')
  await world.passAtProvider(1)
  for (const _ of ['once', 'again'])
    await owner.call('setDefaultPaymentMethod', { subscriptionId, paymentMethodId })
  const former = (await owner.cards(subscriptionId)).find(({ isDefault }) => !isDefault)!.id
  await owner.call('deletePaymentMethod', { subscriptionId, paymentMethodId: former })
  for (const _ of ['once', 'again'])
    await owner.updatesBilling(subscriptionId, { phone: '+1 217 555 0199', receipts: false })
  await owner.changesPlan(subscriptionId, 'free')
  const again = { subscriptionId, planId: 'pro', billingInfo: billingInfo(paymentMethodId) }
  await owner.call('changeSubscriptionPlan', again)
  await world.passAtProvider(1)
  const all = (await activityIn(subscriptionId, owner)).map(inShort)
  expect(all.filter(([kind]) => kind === 'paymentMade')).toEqual([
    ['paymentMade', undefined, null, expect.objectContaining({ amount: '1000' })],
    ['paymentMade', undefined, null, expect.objectContaining({ amount: '2000' })],
  ])
  const activity = all.filter(([kind]) => kind !== 'paymentMade')
  // These two entries come in any order: a webhook about the card races the purchase.
  expect(activity.slice(0, 2).toSorted()).toEqual([
    ['cardAdded', 'owner', null, { brand: 'visa', last4: '4242' }],
    ['projectCreated', 'owner', null, { plan: 'pro' }],
  ])
  expect(activity.slice(2)).toEqual([
    ['planChanged', 'owner', null, { from: 'pro', to: 'enterprise' }],
    ['cardAdded', 'owner', null, { brand: 'mastercard', last4: '4444' }],
    ['defaultCardChanged', 'owner', null, { brand: 'mastercard', last4: '4444' }],
    ['cardRemoved', 'owner', null, { brand: 'visa', last4: '4242' }],
    ['billingDetailsChanged', 'owner', null, { fields: ['phone', 'receipts'] }],
    ['planChanged', 'owner', null, { from: 'enterprise', to: 'free' }],
    ['planChanged', 'owner', null, { from: 'free', to: 'pro' }],
  ])
})

test('the activity log names the person who canceled a project, and nobody when a project ended because it was not paid', async () => {
  const [world, owner] = await aWorldWith('owner')
  const [first, second] = [await owner.buys(), await owner.buys()]
  await owner.cancels(first.subscriptionId)
  await world.payWith(owner, second.subscriptionId, 'pm_card_chargeCustomerFail')
  await world.passAtProvider(40 * 24 * 3600)
  const ends = async (id: string) =>
    (await activityIn(id, owner)).filter(({ kind }) => kind === 'projectCanceled').map(inShort)
  expect(await ends(first.subscriptionId)).toEqual([
    ['projectCanceled', 'owner', null, { because: 'asked' }],
  ])
  expect(await ends(second.subscriptionId)).toEqual([
    ['projectCanceled', undefined, null, { because: 'unpaid' }],
  ])
})

test('a plan change that needs 3-D Secure is logged as activity once it is paid, and a declined one is not logged', async () => {
  const { world, owner, subscriptionId, change, confirm } = await aBilledProject()
  const plans = async () =>
    (await activityIn(subscriptionId, owner)).filter(({ kind }) => kind === 'planChanged')
  const changeWith = async (card: string) => {
    await world.payWith(owner, subscriptionId, card)
    return change('enterprise')
  }
  expect(reasonOf(await changeWith('pm_card_chargeCustomerFail'))).toBe('cardDeclined')
  const { clientSecret } = (await changeWith('pm_card_authenticationRequired')).result!
  expect(await plans()).toEqual([])
  await confirm(clientSecret)
  await world.passAtProvider(1)
  expect((await plans()).map(inShort)).toEqual([
    ['planChanged', 'owner', null, { from: 'pro', to: 'enterprise' }],
  ])
})

test('an account’s activity log shows sign-ins and changes of name, address, password and sign-in providers, and only to the account’s user', async () => {
  const { world, id, owner, ann } = await aProject({ people: { ann: [] } })
  await world.call(
    'signIn',
    { email: ann.email, password: ann.password },
    { headers: { 'user-agent': 'x'.repeat(400) } },
  )
  for (const _ of ['once', 'again']) await ann.call('updateProfile', { displayName: 'Anna' })
  await ann.call('saveUser', { display_name: 'Anna', language: 'en' })
  await ann.call('updatePassword', { newPassword: 'another good one' })
  await ann.call('updateEmail', { newEmail: 'anna@example.com' })
  await world.openMail('anna@example.com')
  await world.link(ann)
  await ann.call('unlinkProvider', { provider: 'google' })
  const activity = await ownActivity(ann)
  expect(activity.map(inShort)).toEqual([
    ['signedIn', 'ann', null, { device: '', address: 'unknown' }],
    ['signedIn', 'ann', null, { device: 'x'.repeat(200), address: 'unknown' }],
    ['nameChanged', 'Anna', null, { from: 'ann', to: 'Anna' }],
    ['passwordChanged', 'Anna', null, {}],
    ['emailChanged', 'Anna', null, { from: ann.email, to: 'anna@example.com' }],
    ['providerUnlinked', 'Anna', null, { provider: 'google' }],
  ])
  expect(activity.every(({ subscription }) => subscription === null)).toBe(true)
  expect(await activityIn(id, owner)).toEqual([])
  expect(kindsOf(await ownActivity(owner))).toEqual(['signedIn'])
})

test('an account’s activity log shows a password reset, and the sign-in provider and the password that locking the account removes', async () => {
  const [world, ann] = await aWorldWith('ann')
  const newPassword = 'another good one'
  const oobCode = await world.resetCode(ann.email)
  await world.call('confirmPasswordReset', { oobCode, newPassword })
  const thief = await world.signedIn({ ...ann, password: newPassword })
  await world.link(ann)
  await thief.call('updatePassword', { newPassword: 'a thief’s password' })
  await world.openMail(ann.email)
  await world.does('sendPasswordResetEmail', { email: ann.email })
  const page = { page: 1, pageSize: 100 }
  const { activity: kept } = await world.services.store.activity.listOf(ann.uid, page)
  expect(kindsOf(kept.toReversed())).toEqual([
    'signedIn',
    'passwordChanged',
    'signedIn',
    'passwordChanged',
    'providerUnlinked',
    'passwordChanged',
  ])
})

test('a change that is refused or rolled back adds no activity entry', async () => {
  const { id, owner, bob } = await aProject({ members: 8, people: { bob: [] } })
  const inProject = { subscriptionId: id }
  const refused = [
    await bob.triesToInvite(id, 'x@example.com'),
    await owner.triesToInvite(id, 'x@example.com'),
    await owner.triesToInvite(id, bob.email),
    await owner.call('revokeInvite', { ...inProject, inviteId: 'x' }),
    await owner.call('removeUser', { ...inProject, userId: owner.uid }),
    await owner.call('leaveSubscription', inProject),
    await owner.call('cancelSubscription', { ...inProject, confirmationId: 'x' }),
    await owner.call('transferSubscriptionOwnership', { ...inProject, newOwnerId: bob.uid }),
    await owner.call('updateUserPermissions', {
      ...inProject,
      userId: bob.uid,
      was: ['access', 'editor'],
      permissions: ['admin'],
    }),
  ]
  expect(refused.map(({ status }) => status).filter((status) => status < 400)).toEqual([])
  expect(await activityIn(id, owner)).toEqual([])
  expect(kindsOf(await ownActivity(owner))).toEqual(['signedIn'])
})

test('an activity entry is stored in the same transaction as the change that it describes', async () => {
  const { world, id, owner } = await aProject()
  const work = world.services.transaction(async (services) => {
    await record('memberLeft', { by: owner, in: id }, services)
    throw new Error('and then it fails')
  })
  await expect(work).rejects.toThrow('and then it fails')
  expect(await activityIn(id, owner)).toEqual([])
})

test('a new card gets one activity entry, even when several webhooks report the card at the same time', async () => {
  const { world, owner, subscriptionId } = await aBilledProject({ plan: 'free' })
  await world.control({ webhooks: { mode: 'drop' } })
  const objectId = await world.addCard(owner, subscriptionId, 'pm_card_visa')
  const event = {
    id: 'evt_own',
    type: 'payment_method.attached',
    objectType: 'payment_method',
    objectId,
  }
  await receiveEvent(event, world.services)
  await Promise.all(
    [1, 2, 3].map(() => billingJobs.processEvent({ eventId: event.id }, world.services)),
  )
  await world.untilWorkedOff()
  expect(kindsOf(await activityIn(subscriptionId, owner))).toEqual(['projectCreated', 'cardAdded'])
})

test('answering an invitation and deleting an account never deadlock with other changes to the same rows', async () => {
  const { world, id, owner } = await aProject()
  for (let round = 0; round < 10; round++) {
    const bob = await world.aPerson(`bob${round}`)
    const first = await invite(owner, id, bob.email)
    const ended = await Promise.all([
      bob.call('rejectInvite', first),
      owner.call('revokeInvite', { subscriptionId: id, ...first }),
    ])
    expect(countOutcomes(ended)).toEqual({ done: 1, inviteNotPending: 1 })
    await bob.call('acceptInvite', await invite(owner, id, bob.email))
    const [deleted, changed] = await Promise.all([
      bob.call('deleteAccount', { confirmationId: bob.uid }),
      owner.call('updateUserPermissions', {
        subscriptionId: id,
        userId: bob.uid,
        permissions: ['admin'],
      }),
    ])
    expect(deleted.status).toBe(200)
    expect([undefined, 'userNotFound']).toContain(reasonOf(changed))
  }
  const kinds = kindsOf(await activityIn(id, owner))
  expect(kinds.filter((kind) => kind === 'memberLeft')).toHaveLength(10)
  expect(kinds.filter((kind) => /^invite(Rejected|Revoked)$/.test(kind))).toHaveLength(10)
})

test('a former member still sees their own activity entries, but not the project’s name in them', async () => {
  const { world, id, owner } = await aProject()
  const bob = await world.aPerson('bob')
  await owner.renames(id, 'Bridge')
  await bob.call('acceptInvite', await invite(owner, id, bob.email))
  expect((await ownActivity(bob)).at(-1)).toMatchObject({
    kind: 'memberJoined',
    subscription: { id, name: 'Bridge' },
  })
  await owner.call('removeUser', { subscriptionId: id, userId: bob.uid })
  await owner.renames(id, 'Secret bridge')
  const seen = await ownActivity(bob)
  expect(kindsOf(seen)).toEqual(['signedIn', 'memberJoined', 'memberRemoved'])
  expect(seen.map(({ subscription }) => subscription)).toEqual([null, null, null])
  expect(seen.at(-1)!.actor!.name).toBe('owner')
  const { result } = await bob.call('exportUser', {})
  expect(result!.data['activity']).toHaveLength(3)
})

test('the activity log comes in pages, newest first, and can be filtered by area and by part of a name or email address', async () => {
  const { id, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  const list = async (input: object) =>
    await owner.does('listActivity', { subscriptionId: id, ...input })
  for (let index = 0; index < 7; index++) await invite(owner, id, `p${index}@example.com`)
  for (let index = 0; index < 12; index++) await bob.renames(id, `Bridge ${index}`)
  expect((await list({})).total).toBe(19)
  const [first, second] = [await list({ page: 1 }), await list({ page: 2 })]
  expect([first.activity.length, second.activity.length]).toEqual([10, 9])
  const ids = [...first.activity, ...second.activity].map(({ id }) => Number(id))
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect(await list({ area: 'people' })).toMatchObject({ total: 7 })
  expect(await list({ area: 'billing' })).toEqual({ activity: [], total: 0 })
  expect(await list({ search: 'P3@EXAMPLE' })).toMatchObject({
    total: 1,
    activity: [{ subject: 'p3@example.com' }],
  })
  expect(await list({ search: 'Bob@' })).toMatchObject({ total: 12 })
  expect(await list({ search: 'OWN', area: 'people' })).toMatchObject({ total: 7 })
  expect(await list({ search: '%' })).toMatchObject({ total: 0 })
  await owner.cannot(
    'listActivity',
    { subscriptionId: id, area: 'everything' as 'people' },
    'invalidInput',
  )
  const own = await bob.does('listOwnActivity', { area: 'account' })
  expect([own.total, kindsOf(own.activity)]).toEqual([1, ['signedIn']])
  expect((await bob.does('listOwnActivity', { page: 2 })).activity).toHaveLength(3)
})

test('a search of the activity log finds entries by the email address of a member, but not by the address of a former member', async () => {
  const { world, id, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  await bob.renames(id, 'Bridge')
  await bob.call('updateEmail', { newEmail: 'robert@example.com' })
  await world.openMail('robert@example.com')
  const found = async () =>
    (await owner.does('listActivity', { subscriptionId: id, search: 'robert' })).total
  expect(await found()).toBe(1)
  await bob.call('leaveSubscription', { subscriptionId: id })
  expect(await found()).toBe(0)
})

test('after a user deletes their account, their entries stay in the activity logs of projects without name and email address', async () => {
  const { world, id, owner } = await aProject()
  const bob = await world.aPerson('bob')
  await bob.call('acceptInvite', await invite(owner, id, bob.email))
  await owner.permits(id, bob, ['admin'])
  await bob.call('deleteAccount', { confirmationId: bob.uid })
  const activity = await activityIn(id, owner)
  expect(kindsOf(activity)).toEqual([
    'inviteSent',
    'memberJoined',
    'permissionsChanged',
    'memberLeft',
  ])
  expect(JSON.stringify(activity)).not.toContain('bob')
  expect(activity.at(-1)).toMatchObject({ actor: { id: '', name: '' } })
  const page = { page: 1, pageSize: 10 }
  expect((await world.services.store.activity.listOf(bob.uid, page)).activity).toEqual([])
})

test('activity entries older than the retention limit are removed', async () => {
  const { world, id } = await aProject()
  const { activity } = world.services.store
  const name = (actorName: string) =>
    activity.add({
      at: world.services.now(),
      kind: 'settingsChanged',
      subscriptionId: id,
      actorName,
      details: '{}',
    })
  await name('old')
  world.pass(limits.activity.kept - 60_000)
  await name('new')
  await otherJobs.removeExpired({}, world.services)
  const kept = async () => (await activity.list(id, { page: 1, pageSize: 10 })).activity
  expect((await kept()).map(({ actor }) => actor!.name)).toEqual(['new', 'old'])
  world.pass(120_000)
  await otherJobs.removeExpired({}, world.services)
  expect((await kept()).map(({ actor }) => actor!.name)).toEqual(['new'])
})
