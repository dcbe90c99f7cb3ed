import { screenEntries } from '#contract/screens.ts'
import { loadMessages } from '#locales/load-translator.ts'
import { expect, test } from 'vitest'
import { bestFirst, nearly } from '../client/layouts/palette/command.ts'

const { palette } = (await loadMessages('en')) as { palette: { words: Record<string, string> } }
const { words } = palette

test('the palette has keywords for every screen that it offers', () => {
  const offered = screenEntries.filter(([, { title }]) => title).map(([name]) => name)
  expect(offered.filter((name) => !(name in words))).toEqual([])
})

const commands = Object.entries(words).map(([id, words]) => ({ id, label: id, words }))
const firstFor = (typed: string) => bestFirst(commands, typed)[0]?.id

test.each([
  ['invoice', 'invoices'],
  ['receipt', 'billing'],
  ['credit card', 'managePaymentMethods'],
  ['upgrade', 'changePlan'],
  ['price', 'changePlan'],
  ['members', 'users'],
  ['team', 'users'],
  ['roles', 'users'],
  ['avatar', 'profile'],
  ['two factor', 'profile'],
  ['2fa', 'profile'],
  ['authenticator', 'profile'],
  ['passkey', 'profile'],
  ['log out', 'signOut'],
  ['night', 'dark'],
  ['keyboard', 'shortcuts'],
])('“%s” finds %s', (typed, id) => expect(firstFor(typed)).toBe(id))

test.each([
  ['recipt', 'billing'],
  ['avtar', 'profile'],
  ['memebrs', 'users'],
])('with a mistake, “%s” finds %s', (typed, id) => expect(nearly(commands, typed)[0]?.id).toBe(id))

test('what a label says comes before what keywords say', () => {
  const found = bestFirst(
    [
      { label: 'Users', words: 'billing' },
      { label: 'Update billing details' },
      { label: 'Billing Information' },
    ],
    'bill',
  )
  expect(found.map(({ label }) => label)).toEqual([
    'Billing Information',
    'Update billing details',
    'Users',
  ])
})

test.each([
  ['ubers', 'Übersicht'],
  ['strasse', 'Straße 7'],
  ['가나', '가난한'],
  ['renewal bri', 'Bridge renewal'],
])('“%s” finds “%s” without case and accents, in any order and as it is typed', (typed, label) =>
  expect(bestFirst([{ label }], typed)).toHaveLength(1),
)

test('a keyword is found by how it begins, and not by letters within it', () => {
  expect(bestFirst([{ label: 'Users', words: 'members, team' }], 'embers')).toEqual([])
  expect(bestFirst([{ label: 'Users', words: 'members, team' }], 'memb tea')).toHaveLength(1)
})
