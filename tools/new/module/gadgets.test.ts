import { expect, test } from 'vitest'
import { aProject, reasonOf } from '../../tests/world.ts'

/** Ann edits, Bob administers and Carla is a member. */
async function aTeam() {
  const people = { ann: ['editor' as const], bob: ['admin' as const], carla: [] }
  const team = await aProject({ plan: 'enterprise', people })
  const here = { subscriptionId: team.id }
  const tries = (name: string, by = team.ann) =>
    by.call('createGadget', { ...here, name, note: '' })
  const makes = async (...made: Parameters<typeof tries>) => ({
    ...here,
    gadgetId: (await tries(...made)).result!.gadgetId,
  })
  const list = (asked = {}) => team.carla.does('listGadgets', { ...here, ...asked })
  return { ...team, here, tries, makes, list }
}

test('gadgets are listed in pages, the last changed first, and found by their names', async () => {
  const { ann, carla, makes, list } = await aTeam()
  const first = await makes('Café')
  for (let place = 1; place <= 11; place++) await makes(`Place ${place}`)
  await ann.does('updateGadget', { ...first, name: 'Café', note: 'Closed' })
  const names = async (page: number) => (await list({ page })).gadgets.map(({ name }) => name)
  expect((await names(1)).slice(0, 2)).toEqual(['Café', 'Place 11'])
  expect(await names(2)).toEqual(['Place 2', 'Place 1'])
  expect(await list({ search: 'CAFE' })).toMatchObject({ total: 1 })
  const { gadget: found } = await carla.does('getGadget', first)
  expect(found).toMatchObject({ note: 'Closed', updated_by: { name: 'ann' } })
})

test('only editors of an active project change gadgets, and every member reads them', async () => {
  const { ann, bob, carla, owner, here, tries, makes, list } = await aTeam()
  const kept = await makes('Kept')
  for (const by of [bob, carla]) expect(reasonOf(await tries('x', by))).toBe('permissionRequired')
  await owner.does('deleteGadget', await makes('Gone', owner))
  const { usage } = await carla.does('getUsage', here)
  expect(usage).toContainEqual(expect.objectContaining({ limit: 'gadgets', used: 1 }))
  await owner.cancels(here.subscriptionId)
  await ann.cannot('deleteGadget', kept, 'subscriptionCanceled')
  expect(await list()).toMatchObject({ total: 1 })
  const { activity } = await owner.does('listActivity', { ...here, area: 'gadgets' })
  expect(activity.map(({ kind, details }) => `${kind} ${String(details['name'])}`)).toEqual([
    'gadgetDeleted Gone',
    'gadgetCreated Gone',
    'gadgetCreated Kept',
  ])
})

test('a project has its own gadgets, and they go with it', async () => {
  const { world, ann, makes } = await aTeam()
  const { gadgetId } = await makes('Kept')
  const { subscriptionId } = await ann.starts()
  await ann.cannot('getGadget', { subscriptionId, gadgetId }, 'gadgetNotFound')
  await world.pool.query('delete from subscriptions')
  expect((await world.pool.query('select from gadgets')).rowCount).toBe(0)
})

test('of two who change the same at once, one learns what the other has saved', async () => {
  const { ann, owner, carla, makes } = await aTeam()
  const plan = await makes('Plan')
  const seen = async () => (await carla.does('getGadget', plan)).gadget
  const saves = (by: typeof ann, name: string, { updated }: { updated: string }) =>
    by.call('updateGadget', { ...plan, name, note: '', ifUnchangedSince: updated })
  const before = await seen()
  const answers = await Promise.all([saves(ann, 'Mine', before), saves(owner, 'My own', before)])
  const refused = answers.find(({ error }) => error)
  const after = await seen()
  expect(refused!.error!.details).toEqual({ reason: 'gadgetChanged', gadget: after })
  expect(await saves(ann, 'Ours', after)).toMatchObject({ status: 200 })
})
