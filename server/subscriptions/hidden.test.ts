import { expect, test } from 'vitest'
import { aTab } from '../../tests/tab.ts'
import { aProject, reasonOf } from '../../tests/world.ts'

const hides = (subscriptionId: string, hidden = true) => ({ subscriptionId, hidden })

test('a canceled project is hidden for whoever hides it, and shown again', async () => {
  const { owner, id, eve } = await aProject({ people: { eve: [] } })
  await owner.cancels(id)
  await eve.does('hideSubscription', hides(id))
  const isHidden = async (person: typeof eve) => (await person.project(id)).is_hidden
  expect([await isHidden(eve), await isHidden(owner)]).toEqual([true, false])
  await eve.does('hideSubscription', hides(id, false))
  expect(await isHidden(eve)).toBe(false)
})

test('an active project is not hidden, and neither is one of others', async () => {
  const { world, id, owner } = await aProject()
  expect(reasonOf(await owner.call('hideSubscription', hides(id)))).toBe('notCanceled')
  await owner.cancels(id)
  const stranger = await world.aPerson('zoe')
  expect(reasonOf(await stranger.call('hideSubscription', hides(id)))).toBe('accessDenied')
})

test('other tabs of who hides a project hear of it', async () => {
  const { world, owner, id } = await aProject()
  await owner.cancels(id)
  await world.untilWorkedOff()
  const tab = await aTab(world, owner)
  await owner.does('hideSubscription', hides(id))
  expect((await tab.heard()).subscriptions).toContain(id)
})
