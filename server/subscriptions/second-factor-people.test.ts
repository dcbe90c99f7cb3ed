// @module-tag slow
import { expect, test } from 'vitest'
import { addPasskey } from '../../tests/a-passkey.ts'
import { anAuthenticator } from '../../tests/an-authenticator.ts'
import { holdMails } from '../../tests/jobs.ts'
import { aWorld, reasonOf, type Person } from '../../tests/world.ts'

const hour = 3_600_000

/**
 * A project that asks for a second step in a week. Its owner has an app, Ann has nothing, Ben is an
 * administrator without a factor, and Cy has a passkey only.
 */
async function anAskingProject() {
  const world = await aWorld()
  const { id, owner, ann, ben, cy } = await world.aProject({
    plan: 'enterprise',
    people: { ann: [], ben: ['admin'], cy: [] },
  })
  await anAuthenticator(world, owner)
  await addPasskey(cy)
  const from = Math.floor((world.services.now().getTime() + 7 * 24 * hour) / 1000)
  const demand = (requireSecondFactor: boolean) =>
    owner.does('updateSubscriptionSecurity', {
      subscriptionId: id,
      requireSecondFactor,
      ...(requireSecondFactor && { from }),
    })
  const reminds = (person: Person) => person.call('remindOfSecondFactor', { subscriptionId: id })
  const forget = () => world.pool.query('delete from kept_mails')
  const asked = async ({ email }: Pick<Person, 'email'>) => {
    await world.untilWorkedOff()
    const mails = await world.mails(email)
    return mails.filter(({ subject }) => subject === 'Untitled Project asks for two-step sign-in')
      .length
  }
  const askedAll = async () => ({
    owner: await asked(owner),
    ann: await asked(ann),
    ben: await asked(ben),
    cy: await asked(cy),
  })
  await demand(true)
  await world.untilWorkedOff()
  await forget()
  return { world, id, owner, ann, ben, cy, from, demand, reminds, forget, asked, askedAll }
}

test('the list of users tells who has a factor, filters by it, and knows nothing of invites', async () => {
  const { id, owner } = await anAskingProject()
  await owner.invites(id, 'guest@example.com')
  const list = async (hasSecondFactor?: boolean) => {
    const input = { subscriptionId: id, page: 1, sort: 'name' as const, hasSecondFactor }
    const { users, total } = await owner.does('getSubscriptionUsers', input)
    expect(total).toBe(users.length)
    return users.map(({ email, has_second_factor: has }) => [email.split('@')[0], has])
  }
  expect(await list()).toEqual([
    ['ann', false],
    ['ben', false],
    ['cy', true],
    ['guest', null],
    ['owner', true],
  ])
  expect(await list(false)).toEqual([
    ['ann', false],
    ['ben', false],
  ])
  expect(await list(true)).toEqual([
    ['cy', true],
    ['owner', true],
  ])
})

test('a reminder is mailed to the members without a factor, once a day for the project', async () => {
  const { owner, ben, reminds, askedAll } = await anAskingProject()
  expect((await reminds(owner)).result).toEqual({ reminded: 2 })
  const both = { owner: 0, ann: 1, ben: 1, cy: 0 }
  expect(await askedAll()).toEqual(both)
  for (const person of [ben, owner])
    expect(reasonOf(await reminds(person))).toBe('auth/too-many-requests')
  expect(await askedAll()).toEqual(both)
})

test('a reminder is for administrators of a project that asks for something', async () => {
  const { ann, ben, demand, reminds, askedAll } = await anAskingProject()
  expect(reasonOf(await reminds(ann))).toBe('adminOnly')
  await demand(false)
  expect(reasonOf(await reminds(ben))).toBe('secondFactorNotRequired')
  expect(await askedAll()).toEqual({ owner: 0, ann: 0, ben: 0, cy: 0 })
})

test('nobody is reminded who has not claimed their account, and nobody who has left', async () => {
  const { world, id, owner, ann, reminds, asked } = await anAskingProject()
  const dan = await world.aPerson('dan', { verified: false })
  await world.addMember(id, dan)
  await ann.does('leaveSubscription', { subscriptionId: id })
  expect((await reminds(owner)).result).toEqual({ reminded: 1 })
  expect([await asked(dan), await asked(ann)]).toEqual([0, 0])
})

test('a reminder that nobody needs counts as none', async () => {
  const { world, id, owner, ann, ben, reminds } = await anAskingProject()
  await ann.does('leaveSubscription', { subscriptionId: id })
  await addPasskey(ben)
  expect((await reminds(owner)).result).toEqual({ reminded: 0 })
  const dora = await world.aPerson('dora')
  await world.addMember(id, dora)
  expect((await reminds(owner)).result).toEqual({ reminded: 1 })
})

test('a reminder that waits is not sent to who has a factor by then, or has left', async () => {
  const { world, id, owner, ann, ben, cy, reminds, asked } = await anAskingProject()
  const dora = await world.aPerson('dora')
  await world.addMember(id, dora)
  const comeBack = await holdMails(world)
  expect((await reminds(owner)).result).toEqual({ reminded: 3 })
  await world.untilWorkedOff()
  await addPasskey(ann)
  await ben.does('leaveSubscription', { subscriptionId: id })
  await comeBack()
  const got = [await asked(ann), await asked(ben), await asked(cy), await asked(dora)]
  expect(got).toEqual([0, 0, 0, 1])
})

test('a reminder that waits is not sent once the project asks for nothing', async () => {
  const { world, owner, demand, reminds, askedAll } = await anAskingProject()
  const comeBack = await holdMails(world)
  await reminds(owner)
  await world.untilWorkedOff()
  await demand(false)
  await comeBack()
  expect(await askedAll()).toEqual({ owner: 0, ann: 0, ben: 0, cy: 0 })
})

test('before its date too, a demand keeps a project from somebody without a factor', async () => {
  const { id, owner, ben, from } = await anAskingProject()
  const { error } = await owner.transfers(id, ben)
  expect(error?.details).toEqual({ reason: 'factorRequired', from, newOwner: ben.uid })
  expect((await owner.project(id)).owner_id).toBe(owner.uid)
  await addPasskey(ben)
  expect(reasonOf(await owner.transfers(id, ben))).toBeUndefined()
  expect((await ben.project(id)).owner_id).toBe(ben.uid)
})
