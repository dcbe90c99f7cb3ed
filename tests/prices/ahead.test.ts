// @module-tag slow
import { expect, test } from 'vitest'
import { reasonOf } from '../world.ts'
import { aSoldProject } from './a-sold-project.ts'

const day = 24 * 3600

test('the owner of a yearly project reads a month before what its renewal costs', async () => {
  const { until, project, subjects, world, owner, invoices } = await aSoldProject({
    price: { frequency: 'year' },
  })
  const { renews } = await project()
  await until(renews! - 31 * day)
  expect(await subjects()).not.toContainEqual(expect.stringContaining('renews on'))
  await until(renews! - 29 * day)
  const [mail] = await world.mails(owner.email)
  expect(mail!.subject).toContain('renews on')
  expect(mail!.text).toContain('$400.00 is charged that day')
  await until(renews! + day)
  expect((await invoices())[0]!.amount_paid).toBe(400_00)
  expect((await subjects()).filter((subject) => subject.includes('renews on'))).toHaveLength(1)
})

test('no mail comes before the renewal of a month, or of a year that has been canceled', async () => {
  const monthly = await aSoldProject()
  await monthly.until((await monthly.project()).renews! - 60)
  const yearly = await aSoldProject({ price: { frequency: 'year' } })
  const { renews } = await yearly.project()
  await yearly.cancel()
  await yearly.until(renews! - 60)
  for (const { subjects } of [monthly, yearly])
    expect(await subjects()).not.toContainEqual(expect.stringContaining('renews on'))
})

test('the owner gets a mail seven days and one day before a scheduled change', async () => {
  const { until, change, project, subjects } = await aSoldProject({ plan: 'enterprise' })
  await change('pro')
  const { at } = (await project()).next_plan!
  const told = async () =>
    (await subjects()).filter((subject) => subject.includes('changes to Pro')).length
  const counts = []
  for (const days of [8, 6, 2, 0.5]) {
    await until(at - days * day)
    counts.push(await told())
  }
  expect(counts).toEqual([0, 1, 1, 2])
})

test('for a change that is scheduled in its last week, the owner gets a mail the day before alone', async () => {
  const { until, change, project, subjects } = await aSoldProject({ plan: 'enterprise' })
  await until((await project()).renews! - 3 * day)
  await change('pro')
  const told = async () => (await subjects()).some((subject) => subject.includes('changes to Pro'))
  expect(await told()).toBe(false)
  await until((await project()).renews! - 3600)
  expect(await told()).toBe(true)
})

test('two hours before, the server drops a change that no longer fits, and mails the owner', async () => {
  const { world, until, change, project, subscriptionId, subjects, invoices, kinds } =
    await aSoldProject({ plan: 'enterprise' })
  await change('pro')
  await world.addMembers(subscriptionId, 20)
  const { at } = (await project()).next_plan!
  await until(at - 7100)
  expect(await project()).toMatchObject({ plan_id: 'enterprise', next_plan: null })
  expect((await subjects())[0]).toContain('stays on Enterprise')
  await until(at + day)
  expect(await project()).toMatchObject({ plan_id: 'enterprise', payment: 'ok' })
  expect((await invoices())[0]!.total).toBe(120_00)
  expect((await kinds()).slice(-2)).toEqual(['planChangeWithdrawn', 'planChangeScheduled'])
})

test('two hours before a change to a smaller plan, nobody joins beyond its seats', async () => {
  const { world, owner, until, change, undo, project, subscriptionId } = await aSoldProject({
    plan: 'enterprise',
  })
  await change('pro')
  await world.addMembers(subscriptionId, 18)
  const { at } = (await project()).next_plan!
  await until(at - 7000)
  await owner.invites(subscriptionId, 'one@example.com')
  expect(reasonOf(await owner.triesToInvite(subscriptionId, 'two@example.com'))).toBe('seatsFull')
  await undo()
  await owner.invites(subscriptionId, 'two@example.com')
})

test('if the server was away, a project may have more people than seats, and shrinks', async () => {
  const { world, owner, until, change, project, subscriptionId } = await aSoldProject({
    plan: 'enterprise',
  })
  await change('pro')
  const { at } = (await project()).next_plan!
  await until(at - 7000)
  await world.addMembers(subscriptionId, 20)
  await until(at + day)
  expect((await project()).plan_id).toBe('pro')
  expect(reasonOf(await owner.triesToInvite(subscriptionId, 'one@example.com'))).toBe('seatsFull')
  const { users } = await owner.does('getSubscriptionUsers', { subscriptionId })
  const member = users.find(({ is_owner: isOwner }) => !isOwner)!
  await owner.does('removeUser', { subscriptionId, userId: member.id })
})
