import { expect, test } from 'vitest'
import { aProject } from '../../tests/world.ts'

/** Each name, as it is saved, and what finds it. */
const found: [saved: string, ...typed: string[]][] = [
  ['Zoë Müller', 'zoe mull', 'MÜLLER', 'müller'.normalize('NFD')],
  ['Café'.normalize('NFD'), 'café', 'CAFE'],
  ['김하늘'.normalize('NFD'), '하늘', '하늘'.normalize('NFD')],
  ['ＡＣＭＥ 株式会社', 'acme', '株式'],
  ['ガーデン', 'ｶﾞｰ', 'ガ'.normalize('NFD')],
  ['Straße 7', 'strasse', 'STRAẞE'],
  ['Ἀθήνα', 'αθηνα', 'ΑΘΉΝΑ'],
]

test('searches know letters in every form, case, width and accent, and lists sort accents with their letters', async () => {
  const { world, id, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  const listed = async (search: string) => {
    const [projects, people, activity, atDesk] = await Promise.all([
      owner.does('listSubscriptions', { search }),
      owner.does('getSubscriptionUsers', { subscriptionId: id, search }),
      owner.does('listActivity', { subscriptionId: id, search }),
      world.services.store.users.search(search, 5),
    ])
    const operators = await world.services.store.subscriptions.search(search, 5)
    return [projects.total, people.total, activity.total > 0, atDesk.length, operators.length]
  }
  for (const [saved, ...typed] of found) {
    await bob.does('saveUser', { display_name: saved })
    await bob.renames(id, saved)
    for (const search of typed) expect(await listed(search), search).toEqual([1, 1, true, 1, 1])
    expect(await listed('nothing like it')).toEqual([0, 0, false, 0, 0])
  }

  const names = ['Zoe', 'Öz', 'bob', 'Émile', 'Ärzte', 'Eva', 'Mia']
  for (const name of names) {
    const { subscriptionId } = await bob.starts()
    await bob.renames(subscriptionId, name)
    await owner.does('createInvite', {
      subscriptionId: id,
      email: `p${names.indexOf(name)}@example.com`,
      permissions: [],
      name,
    })
  }
  const order = ['Ärzte', 'bob', 'Émile', 'Eva', 'Mia', 'Öz', 'Zoe']
  const { subscriptions } = await bob.does('listSubscriptions', { sort: 'name' })
  expect(subscriptions.map(({ settings }) => settings['name']).filter(isIn(order))).toEqual(order)
  const sorted = { subscriptionId: id, status: 'pending', sort: 'name' } as const
  const { users } = await owner.does('getSubscriptionUsers', sorted)
  expect(users.map(({ display_name }) => display_name)).toEqual(order)
})

function isIn(names: string[]) {
  return (name: unknown) => names.includes(name as string)
}
