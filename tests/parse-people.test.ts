import { expect, test } from 'vitest'
import { entryOf, parsePeople } from '../client/screens/invites/parse-people.ts'

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
  [
    'links with a query',
    'mailto:ann@example.com?subject=Re:%20Hi&cc=x@y.example\nmailto:bob@example.com?body=1,',
    bare,
  ],
  [
    'links of Markdown',
    '- [Ann Archer](mailto:ann@example.com)\n* [Bob Baker](mailto:bob@example.com)',
    [ann, bob],
  ],
  [
    'tables of Markdown',
    '| Ann Archer | ann@example.com |\n|Bob Baker|`bob@example.com`|',
    [ann, bob],
  ],
  ['numbers', '1. ann@example.com\n2) bob@example.com', bare],
  [
    'numbers and names',
    '1. Ann Archer <ann@example.com>, (2) Bob Baker <bob@example.com>',
    [ann, bob],
  ],
  [
    'a column of numbers',
    '1\tAnn Archer\tann@example.com\n②\tBob Baker\tbob@example.com',
    [ann, bob],
  ],
  ['bullets', '• ann@example.com\n–\tbob@example.com', bare],
  ['bullets without spaces', '·ann@example.com\n●bob@example.com', bare],
  ['dashes', 'Ann Archer – ann@example.com\nbob@example.com - Bob Baker', [ann, bob]],
  ['labels', 'Ann Archer: ann@example.com\nE-Mail: bob@example.com', [ann, bare[1]]],
  ['typographic quotes', '“ann@example.com”\n„bob@example.com“', bare],
  ['other quotes', '‘ann@example.com’, «bob@example.com»', bare],
  ['straight quotes', `'ann@example.com' "bob@example.com"`, bare],
  [
    'quoted names',
    '“Archer, Ann” <ann@example.com>',
    [{ email: 'ann@example.com', name: 'Archer, Ann' }],
  ],
  ['CJK brackets', '「ann@example.com」（bob@example.com）', bare],
  [
    'names in CJK brackets',
    'Ann Archer（ann@example.com）\nBob Baker：bob@example.com',
    [ann, bob],
  ],
  ['sentences', 'ann@example.com。bob@example.com。', bare],
  [
    'sentences in English',
    'Ask ann@example.com, or bob@example.com!',
    [
      { email: 'ann@example.com', name: 'Ask' },
      { email: 'bob@example.com', name: 'or' },
    ],
  ],
  [
    'invisible characters',
    '\uFEFF\u200Bann@example.com\u202C\n\u202Abob@exam\u00ADple.com\u2060',
    bare,
  ],
  ['no-break spaces', 'ann@example.com\u00A0\u3000bob@example.com', bare],
  ['full width', 'ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ；bob＠example.com', bare],
  ['Arabic marks', 'ann@example.com، bob@example.com؛', bare],
  [
    'domains of other scripts',
    'ann@müller.example; bob@例え。テスト',
    [{ email: 'ann@xn--mller-kva.example' }, { email: 'bob@xn--r8jz45g.xn--zckzah' }],
  ],
  [
    'unusual addresses',
    "o'neil@example.com o’hara@example.com a|b@example.com *x@example.com",
    ["o'neil", "o'hara", 'a|b', '*x'].map((local) => ({ email: `${local}@example.com` })),
  ],
])('parsePeople reads people from %s', (_, text, people) => {
  const found = { people, repeated: 0, wrong: [] }
  expect(parsePeople(text)).toEqual(found)
  // What stays in the box is read alike.
  const kept = found.people.map((person) => entryOf(person!))
  expect(parsePeople(kept.join('\n'))).toEqual(found)
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
  expect(parsePeople('ann@-example\n\n ,;\nNobody at all\nbob@example.com')).toEqual({
    people: [{ email: 'bob@example.com' }],
    repeated: 0,
    wrong: ['ann@-example', 'Nobody at all'],
  })
})

test.each([
  'änn@example.com',
  'ann@@example.com',
  'ann@example.com@example.com',
  'ann@example.com/bob@example.com',
  'ann@exa_mple.com',
  `${'x'.repeat(65)}@example.com`,
])('parsePeople never makes another address of %s', (entry) => {
  expect(parsePeople(`${entry}\n${entry} bob@example.com`)).toEqual({
    people: [{ email: 'bob@example.com' }],
    repeated: 0,
    wrong: [entry, entry],
  })
})
