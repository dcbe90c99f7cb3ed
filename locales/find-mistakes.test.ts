import { english } from '#locales/english.ts'
import { expect, test } from 'vitest'
import { findMistakes } from './find-mistakes.ts'
import type { Messages } from './translator.ts'

test('the English texts are well formed', () => {
  expect(findMistakes('en', english, english)).toEqual({ missing: [], wrong: [] })
})

const original = { text: 'Hello {{name}}', seats_one: '{{count}} seat', seats_other: 'Seats' }

test('findMistakes finds a text and a plural form that a language lacks', () => {
  expect(findMistakes('de', { seats_one: '{{count}} Platz' }, original).missing).toEqual([
    'text',
    'seats_other',
  ])
  const french = { text: 'Bonjour {{name}}', seats_one: '{{count}} place', seats_other: 'Places' }
  expect(findMistakes('fr', french, original).missing).toEqual(['seats_many'])
})

test.each<[string, string, Messages, string]>([
  ['extra', 'ja', { seats_one: '{{count}} 席' }, 'seats_one is not one of the texts'],
  ['left in English', 'ko', { text: 'Hello to you' }, 'text is not translated'],
  ['half translated', 'zh', { text: 'Hi {{name}}' }, 'text is not translated'],
  ['in a wrong script', 'de', { text: '您好 {{name}}' }, 'text is not translated'],
  ['without its placeholder', 'zh', { text: '您好' }, 'has no placeholder where English has'],
  ['with a broken placeholder', 'ko', { text: '{{name}} 님, { count }' }, 'a broken placeholder'],
  ['empty', 'ko', { text: ' {{name}}' }, 'is empty, or has spaces around it'],
])('findMistakes finds a text that is %s', (_, language, messages, mistake) => {
  const english = { ...original, ...(language === 'ko' && { text: 'Hello to you' }) }
  expect(findMistakes(language, messages, english).wrong.join('; ')).toContain(mistake)
})

test.each([
  ['de', { text: 'Hallo {{name}}' }],
  ['de', { seats_other: 'Seats' }],
  ['ja', { text: 'こんにちは {{name}}' }],
  ['ar', { text: 'مرحبا {{name}}' }],
])('findMistakes accepts a text that is right in %s', (language, messages) => {
  expect(findMistakes(language, messages, original).wrong).toEqual([])
})
