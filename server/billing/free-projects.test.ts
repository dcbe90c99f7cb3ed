import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aWorld, pay, reasonOf, refusedWith, type Person } from '../../tests/world.ts'

const limit = limits.projects.freeOwned
const create = (person: Person, key?: string) =>
  person.call('createSubscription', { planId: 'free' }, key ? { 'idempotency-key': key } : {})
const fill = (person: Person) =>
  Promise.all(Array.from({ length: limit }, (_, index) => create(person, `project-${index}`)))

test('of forty free projects created at once twenty succeed, and the others are refused with tooManyProjects', async () => {
  const world = await aWorld()
  const ann = await world.aPerson()
  const answers = await Promise.all(Array.from({ length: 40 }, () => create(ann)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit)
  expect(answers.find(({ error }) => error)).toMatchObject({
    status: 429,
    error: { status: 'RESOURCE_EXHAUSTED', details: { limit } },
  })
  expect(answers.filter(refusedWith('tooManyProjects'))).toHaveLength(40 - limit)
  expect((await ann.does('listSubscriptions', {})).total).toBe(limit)
})

test('canceled projects, paid projects and repeated requests do not count against the limit', async () => {
  const world = await aWorld()
  const ann = await world.aPerson()
  const [first] = await fill(ann)
  expect((await pay(ann, 'pm_card_visa')).status).toBe(200)
  expect(reasonOf(await create(ann))).toBe('tooManyProjects')
  expect((await create(ann, 'project-0')).result).toEqual(first!.result)
  // What a server leaves that dies before it can keep its answer.
  await world.services.store.idempotency.removeOlder(new Date(Date.now() + 60_000))
  expect((await create(ann, 'project-0')).result).toEqual(first!.result)
  const { subscriptionId } = first!.result!
  await ann.call('cancelSubscription', { subscriptionId, confirmationId: subscriptionId })
  expect((await create(ann)).status).toBe(200)
  expect(reasonOf(await create(ann))).toBe('tooManyProjects')
})

test('paid projects changed to free at once respect the limit', async () => {
  const world = await aWorld()
  const ann = await world.aPerson()
  const paid = await Promise.all([pay(ann, 'pm_card_visa'), pay(ann, 'pm_card_visa')])
  const [first] = await fill(ann)
  const toFree = { subscriptionId: paid[0].result!.subscriptionId, planId: 'free' }
  expect(await ann.refusal('previewPlanChange', toFree)).toBe('tooManyProjects')
  expect(await ann.refusal('changeSubscriptionPlan', toFree)).toBe('tooManyProjects')
  const { subscriptionId } = first!.result!
  await ann.call('cancelSubscription', { subscriptionId, confirmationId: subscriptionId })
  const answers = await Promise.all([
    ...paid.map(({ result }) =>
      ann.call('changeSubscriptionPlan', {
        subscriptionId: result!.subscriptionId,
        planId: 'free',
      }),
    ),
    create(ann),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(refusedWith('tooManyProjects'))).toHaveLength(2)
})

test('an owner of twenty free projects can receive a paid project, and no free one', async () => {
  const world = await aWorld()
  const { id, owner, bob } = await world.aProject({ people: { bob: ['admin'] } })
  const { subscriptionId: paid } = (await pay(owner, 'pm_card_visa')).result!
  await world.services.store.members.add({
    subscriptionId: paid,
    userId: bob.uid,
    permissions: ['access', 'admin'],
    now: new Date(),
  })
  await fill(bob)
  const transfer = (subscriptionId: string) =>
    owner.call('transferSubscriptionOwnership', { subscriptionId, newOwnerId: bob.uid })
  expect(reasonOf(await transfer(id))).toBe('tooManyProjects')
  expect((await owner.does('getSubscription', { subscriptionId: id })).subscription.owner_id).toBe(
    owner.uid,
  )
  expect((await transfer(paid)).result).toEqual({})
})
