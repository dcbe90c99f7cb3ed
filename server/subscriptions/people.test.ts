// @module-tag slow
import type { PermissionKey } from '#config/permissions.ts'
import { expect, test } from 'vitest'
import { aProject } from '../../tests/world.ts'

type World = Awaited<ReturnType<typeof aProject>>['world']
type Person = Awaited<ReturnType<World['aPerson']>>

/** The names of the people that a person sees in a project. The list and the project agree. */
async function seenBy(person: Person, id: string) {
  const { people } = await person.project(id)
  const listed = (await person.projects()).find((project) => project.id === id)!
  const page = await person.does('listSubscriptions', { page: 1, pageSize: 20, sort: 'name' })
  expect(listed.people).toEqual(people)
  expect(page.subscriptions.find((project) => project.id === id)!.people).toEqual(people)
  return people.map(({ name }) => name)
}

/** Adds members who joined one after another. */
async function join(world: World, id: string, names: Record<string, PermissionKey[]>) {
  const joined: Record<string, Person> = {}
  for (const [name, permissions] of Object.entries(names)) {
    joined[name] = await world.aPerson(name)
    await world.addMember(id, joined[name]!, permissions)
  }
  return joined
}

test('administrators see the owner of a project, then its administrators, then the others as they joined', async () => {
  const { world, id, owner } = await aProject()
  const { eve, carla } = await join(world, id, { eve: ['editor'], mia: [], carla: ['admin'] })
  expect(await seenBy(owner, id)).toEqual(['owner', 'carla', 'eve', 'mia'])
  expect(await seenBy(carla!, id)).toEqual(['owner', 'carla', 'eve', 'mia'])
  await owner.transfers(id, carla!)
  expect(await seenBy(carla!, id)).toEqual(['carla', 'owner', 'eve', 'mia'])
  expect((await carla!.project(id)).people[2]).toEqual({
    id: eve!.uid,
    name: 'eve',
    avatar_url: null,
  })
})

test('members who are no administrators see only the owner, the administrators and themselves', async () => {
  const { world, id } = await aProject()
  const { eve, mia } = await join(world, id, { eve: ['editor'], mia: [], carla: ['admin'] })
  expect(await seenBy(eve!, id)).toEqual(['owner', 'carla', 'eve'])
  expect(await seenBy(mia!, id)).toEqual(['owner', 'carla', 'mia'])
})

test('at most six people of a project are shown', async () => {
  const { id, owner } = await aProject({ members: 8 })
  const names = await seenBy(owner, id)
  expect([names.length, names[0]]).toEqual([6, 'owner'])
})

test('the people of a project are shown with their present names and pictures, and without deleted accounts', async () => {
  const { world, id, owner } = await aProject({ plan: 'free' })
  const { bob, carla } = await join(world, id, { bob: ['editor'], carla: ['admin'] })
  await carla!.does('updateProfile', { displayName: 'Carla Cruz' })
  const picture = 'https://example.com/carla.png'
  await world.pool.query('update users set avatar_url = $1 where id = $2', [picture, carla!.uid])
  expect((await owner.project(id)).people[1]).toEqual({
    id: carla!.uid,
    name: 'Carla Cruz',
    avatar_url: picture,
  })
  await world.pool.query('delete from users where id = $1', [bob!.uid])
  expect(await seenBy(owner, id)).toEqual(['owner', 'Carla Cruz'])
})

test('a canceled project comes last in every order, and shows its people even after its owner has deleted their account', async () => {
  const { world, id, owner } = await aProject()
  const { carla } = await join(world, id, { carla: ['admin'] })
  await owner.renames(id, 'A first name')
  const { subscriptionId: older } = await carla!.starts()
  await world.pool.query(
    `update subscriptions set created_at = created_at - interval '1 day' where id = $1`,
    [older],
  )
  const order = async (sort: 'newest' | 'name') =>
    (await carla!.does('listSubscriptions', { page: 1, pageSize: 20, sort })).subscriptions.map(
      (project) => project.id,
    )
  expect(await order('newest')).toEqual([id, older])
  expect(await order('name')).toEqual([id, older])
  await owner.cancels(id)
  expect(await order('newest')).toEqual([older, id])
  expect(await order('name')).toEqual([older, id])
  expect((await carla!.projects()).map((project) => project.id)).toEqual([older, id])
  expect(await seenBy(carla!, id)).toEqual(['owner', 'carla'])
  await owner.does('deleteAccount', { confirmationId: owner.uid })
  expect(await seenBy(carla!, id)).toEqual(['carla'])
})
