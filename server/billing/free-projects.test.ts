// @module-tag slow
import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import {
  aProject,
  aWorldWith,
  inParallel,
  reasonOf,
  countOutcomes,
  type Person,
} from '../../tests/world.ts'

const limit = limits.projects.freeOwned
const create = (person: Person, key?: string) =>
  person.call('createSubscription', { planId: 'free' }, key ? { 'idempotency-key': key } : {})
const fill = (person: Person) => inParallel(limit, (index) => create(person, `project-${index}`))

test('when a user creates forty free projects at once, twenty succeed and the others are refused with tooManyProjects', async () => {
  const [, ann] = await aWorldWith('ann')
  const answers = await inParallel(40, () => create(ann))
  expect(countOutcomes(answers)).toEqual({ done: limit, tooManyProjects: 40 - limit })
  expect(answers.find(({ error }) => error)).toMatchObject({
    status: 429,
    error: { status: 'RESOURCE_EXHAUSTED', details: { limit } },
  })
  expect((await ann.does('listSubscriptions', {})).total).toBe(limit)
})

test('canceled projects, paid projects and repeated requests do not count against a user’s limit of free projects', async () => {
  const [world, ann] = await aWorldWith('ann')
  const [first] = await fill(ann)
  expect((await ann.pays()).status).toBe(200)
  expect(reasonOf(await create(ann))).toBe('tooManyProjects')
  expect((await create(ann, 'project-0')).result).toEqual(first!.result)
  // As if the server had crashed before it stored its answer under the idempotency key.
  await world.services.store.idempotency.removeOlder(new Date(Date.now() + 60_000))
  expect((await create(ann, 'project-0')).result).toEqual(first!.result)
  const { subscriptionId } = first!.result!
  await ann.cancels(subscriptionId)
  expect((await create(ann)).status).toBe(200)
  expect(reasonOf(await create(ann))).toBe('tooManyProjects')
})

test('a user who changes paid projects to the free plan at once can’t exceed the limit of free projects', async () => {
  const [, ann] = await aWorldWith('ann')
  const paid = await Promise.all([ann.pays(), ann.pays()])
  const [first] = await fill(ann)
  const toFree = { subscriptionId: paid[0].result!.subscriptionId, planId: 'free' }
  await ann.cannot('previewPlanChange', toFree, 'tooManyProjects')
  await ann.cannot('changeSubscriptionPlan', toFree, 'tooManyProjects')
  const { subscriptionId } = first!.result!
  await ann.cancels(subscriptionId)
  const answers = await Promise.all([
    ...paid.map(({ result }) =>
      ann.call('changeSubscriptionPlan', {
        subscriptionId: result!.subscriptionId,
        planId: 'free',
      }),
    ),
    create(ann),
  ])
  expect(countOutcomes(answers)).toEqual({ done: 1, tooManyProjects: 2 })
})

test('ownership of a paid project, but not of a free one, can be transferred to a user who owns twenty free projects', async () => {
  const { world, id, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  const { subscriptionId: paid } = await owner.buys()
  await world.addMember(paid, bob, ['admin'])
  await fill(bob)
  const transfer = (subscriptionId: string) => owner.transfers(subscriptionId, bob)
  expect(reasonOf(await transfer(id))).toBe('tooManyProjects')
  expect((await owner.project(id)).owner_id).toBe(owner.uid)
  expect((await transfer(paid)).result).toEqual({})
})
