import type { LanguageCode } from '#config/languages.ts'
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

/** What a language puts in which order, where languages differ. */
const orders: Record<string, string> = {
  en: 'Ärzte bob Émile Eva ñandú nube Öz Zoe 上 中 亜 北 阿',
  de: 'Ärzte bob Émile Eva ñandú nube Öz Zoe 上 中 亜 北 阿',
  fr: 'Ärzte bob Émile Eva ñandú nube Öz Zoe 上 中 亜 北 阿',
  pt: 'Ärzte bob Émile Eva ñandú nube Öz Zoe 上 中 亜 北 阿',
  es: 'Ärzte bob Émile Eva nube ñandú Öz Zoe',
  sv: 'bob Émile Eva Zoe Ärzte Öz',
  ja: 'bob Zoe ア いろは 亜 阿 上 中 北',
  ko: '가나 하늘 bob Zoe',
  zh: '阿 北 上 中 bob',
  'zh-TW': '上 中 北 阿 bob',
  tlh: 'Ärzte bob Émile Zoe',
}

test('people and projects sort by name as the reader’s language does', async () => {
  const { world, id, owner } = await aProject({ plan: 'enterprise' })
  const { members, subscriptions } = world.services.store
  const names = new Set(Object.values(orders).flatMap((order) => order.split(' ')))
  let count = 0
  for (const name of names) {
    const { subscriptionId } = await owner.starts()
    await owner.renames(subscriptionId, name)
    const email = `p${count++}@example.com`
    await owner.does('createInvite', { subscriptionId: id, email, permissions: [], name })
  }
  for (const [code, order] of Object.entries(orders)) {
    const language = code as LanguageCode
    const wish = { page: 1, pageSize: 100, search: undefined, sort: 'name', language } as const
    const expected = order.split(' ')
    const people = await members.listUsers(id, { ...wish, search: '', now: world.services.now() })
    const projects = await subscriptions.pageOf({ userId: owner.uid, admins: [] }, wish)
    expect(people.users.map((user) => user.display_name).filter(isIn(expected)), code).toEqual(
      expected,
    )
    const named = projects.subscriptions.map(({ settings }) => settings['name'])
    expect(named.filter(isIn(expected)), code).toEqual(expected)
    const back = await members.listUsers(id, {
      ...wish,
      search: '',
      direction: 'descending',
      now: world.services.now(),
    })
    expect(back.users.map((user) => user.display_name).filter(isIn(expected)), code).toEqual(
      expected.toReversed(),
    )
  }
})

function isIn(names: string[]) {
  return (name: unknown) => names.includes(name as string)
}
