import { expect, test } from 'vitest'
import { parsePeople } from '../client/screens/invites/parse-people.ts'

const ann = { email: 'ann@example.com', name: 'Ann Archer' }
const bob = { email: 'bob@example.com', name: 'Bob Baker' }
const bare = [{ email: 'ann@example.com' }, { email: 'bob@example.com' }]

test.each([
  ['a line each', 'ann@example.com\nbob@example.com', bare],
  ['commas', 'ann@example.com, bob@example.com', bare],
  ['semicolons', 'ann@example.com;bob@example.com', bare],
  ['spaces', 'ann@example.com bob@example.com', bare],
  ['Chinese commas', 'ann@example.com，bob@example.com', bare],
  ['Japanese commas', 'ann@example.com、bob@example.com', bare],
  [
    'names before addresses',
    'Ann Archer <ann@example.com>, Bob Baker <bob@example.com>',
    [ann, bob],
  ],
  [
    'a mail program that turns names round',
    '"Archer, Ann" <ann@example.com>',
    [{ email: 'ann@example.com', name: 'Archer, Ann' }],
  ],
  ['a table, names first', 'Ann Archer\tann@example.com\nBob Baker\tbob@example.com', [ann, bob]],
  [
    'a table, addresses first',
    'ann@example.com\tAnn Archer\r\nbob@example.com\tBob Baker\r\n',
    [ann, bob],
  ],
  ['two columns for the name', 'Ann,Archer,ann@example.com', [ann]],
  ['links', '<mailto:ANN@example.com>', [{ email: 'ann@example.com' }]],
])('parsePeople reads people from %s', (_, text, people) => {
  expect(parsePeople(text)).toEqual({ people, repeated: 0, wrong: [] })
})

test('parsePeople lists a repeated person once, with the name from either line', () => {
  expect(parsePeople('ann@example.com\nAnn Archer <ANN@example.com>')).toEqual({
    people: [ann],
    repeated: 1,
    wrong: [],
  })
})

test('parsePeople drops forbidden characters from a name, and the name if nothing is left of it', () => {
  const { people } = parsePeople(
    'Ann\u00ADika\u200B <ann@example.com>\nSee www.bridge.example <bob@example.com>\n\u3164 <carl@example.com>',
  )
  expect(people).toEqual([
    { email: 'ann@example.com', name: 'Annika' },
    { email: 'bob@example.com', name: 'See bridge.example' },
    { email: 'carl@example.com' },
  ])
})

test('parsePeople returns a line without an address as it was written', () => {
  expect(parsePeople('ann@example\n\n ,;\nNobody at all\nbob@example.com')).toEqual({
    people: [{ email: 'bob@example.com' }],
    repeated: 0,
    wrong: ['ann@example', 'Nobody at all'],
  })
})
