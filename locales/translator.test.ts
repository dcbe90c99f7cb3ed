import { expect, test } from 'vitest'
import { createTranslator, fillIn, type Translate } from './translator.ts'

const messages = {
  greeting: 'Hello {{name}} of {{product}}',
  seats_one: '{{count}} seat',
  seats_few: '{{count}} few seats',
  seats_other: '{{count}} seats',
  deep: { key: 'found' },
}
const untyped = (t: Translate) =>
  t as (key: string, values?: Record<string, string | number>) => string

test('a placeholder takes the given value unchanged, or else the common value', () => {
  const t = untyped(createTranslator(messages, 'en', { product: 'Pergola' }))
  expect(t('greeting', { name: '<b>$&</b>' })).toBe('Hello <b>$&</b> of Pergola')
  expect(t('deep.key')).toBe('found')
})

test('a count chooses the plural form of the language, or the general form if that one is missing', () => {
  const english = untyped(createTranslator(messages, 'en'))
  expect([1, 2, 0].map((count) => english('seats', { count }))).toEqual([
    '1 seat',
    '2 seats',
    '0 seats',
  ])
  const polish = untyped(createTranslator(messages, 'pl'))
  expect([1, 2, 5].map((count) => polish('seats', { count }))).toEqual([
    '1 seat',
    '2 few seats',
    '5 seats',
  ])
})

test('a number in a message is formatted as the language writes numbers', () => {
  const german = untyped(createTranslator(messages, 'de'))
  expect(german('seats', { count: 12_345 })).toBe('12.345 seats')
})

test('a missing message shows its key', () => {
  expect(untyped(createTranslator(messages, 'en'))('deep')).toBe('deep')
})

test('a text that a language lacks is filled in from English', () => {
  const german = { seats_one: '{{count}} Platz', deep: { other: 'anders' } }
  expect(fillIn(german, messages)).toEqual({
    ...messages,
    seats_one: '{{count}} Platz',
    deep: { key: 'found', other: 'anders' },
  })
})
