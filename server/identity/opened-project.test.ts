// @module-tag slow
import type { CallInput } from '#contract/calls.ts'
import { expect, test } from 'vitest'
import { aProject, reasonOf } from '../../tests/world.ts'
import { newId } from '../platform/ids.ts'

async function aPeopledProject() {
  const project = await aProject({
    plan: 'enterprise',
    people: { admin: ['admin'], editor: ['editor'], member: [], former: [] },
  })
  const { world, id, former } = project
  await former.call('leaveSubscription', { subscriptionId: id })
  const [stranger, invited, ended] = await world.somePeople('stranger', 'invited', 'ended')
  await project.owner.invites(id, 'invited@example.com')
  await ended.call('signOut', {})
  const refresh = (cookie: string, input: CallInput<'refreshSession'>) =>
    world.call('refreshSession', input, { headers: { cookie } })
  return { ...project, stranger, invited, ended, refresh }
}

test('a renewed session brings the named project for its members, and for nobody else', async () => {
  const { id, refresh, world, ...people } = await aPeopledProject()
  for (const name of ['owner', 'admin', 'editor', 'member'] as const) {
    const { result } = await refresh(people[name].cookie, { subscriptionId: id })
    const { subscription } = await people[name].does('getSubscription', { subscriptionId: id })
    expect(result!.subscription, name).toEqual(subscription)
  }
  for (const name of ['stranger', 'invited', 'former'] as const) {
    const answer = await refresh(people[name].cookie, { subscriptionId: id })
    expect(answer.status, name).toBe(200)
    expect(answer.result!.user.uid, name).toBe(people[name].uid)
    expect(answer.result, name).not.toHaveProperty('subscription')
  }
  for (const cookie of [people.ended.cookie, 'pergola_refresh=made-up', ''])
    expect(['sessionEnded', 'notSignedIn']).toContain(
      reasonOf(await refresh(cookie, { subscriptionId: id })),
    )
})

test('a renewed session says nothing about a project that nobody has, or that waits for its payment', async () => {
  const { world, owner, refresh } = await aPeopledProject()
  const unpaid = newId()
  await world.services.store.subscriptions.add({
    id: unpaid,
    ownerId: owner.uid,
    planId: 'pro',
    status: 'incomplete',
    permissions: ['access', 'admin'],
    now: world.services.now(),
  })
  for (const subscriptionId of ['made-up', newId(), unpaid]) {
    const { status, result } = await refresh(owner.cookie, { subscriptionId })
    expect([status, Object.keys(result!)]).toEqual([200, ['user', 'token', 'expiresIn']])
  }
})

test('a renewed session brings a canceled project, and no project that was not asked for', async () => {
  const { id, owner, refresh } = await aPeopledProject()
  expect((await refresh(owner.cookie, {})).result).not.toHaveProperty('subscription')
  await owner.cancels(id)
  const { result } = await refresh(owner.cookie, { subscriptionId: id })
  expect(result!.subscription).toMatchObject({ id, status: 'canceled' })
})

test('a malformed project id is refused and leaves the session as it is', async () => {
  const { owner, refresh } = await aPeopledProject()
  const refused: [unknown, string][] = [
    ['', 'noSubscriptionId'],
    ['x'.repeat(65), 'invalidInput'],
    [7, 'invalidInput'],
    [null, 'invalidInput'],
  ]
  for (const [subscriptionId, reason] of refused) {
    const input = { subscriptionId } as CallInput<'refreshSession'>
    expect(reasonOf(await refresh(owner.cookie, input)), String(subscriptionId)).toBe(reason)
  }
  expect((await refresh(owner.cookie, {})).status).toBe(200)
  await owner.does('getUser', {})
})
