import { readFileSync, readdirSync } from 'node:fs'
import { languages } from '#config/languages.ts'
import { expect, test } from 'vitest'
import { findMistakes } from './find-mistakes.ts'
import type { Messages } from './translator.ts'

const english = messagesOf('en')

test('every language of the configuration has its file, and every file its language', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.json'))
  expect(files.map((file) => file.replace('.json', '')).sort()).toEqual(
    Object.keys(languages).sort(),
  )
})

test.each(Object.keys(languages))(
  '%s has every text, translated, with its placeholders and plural forms',
  (language) => {
    expect(findMistakes(language, messagesOf(language), english, alikeIn(language))).toEqual([])
  },
)

const text = { text: 'Hello {{name}}', seats_one: '{{count}} seat', seats_other: '{{count}} seats' }
test.each<[string, string, Messages, string[]]>([
  [
    'missing',
    'de',
    { text: 'Hallo {{name}}', seats_one: '{{count}} Platz' },
    ['seats_other is missing'],
  ],
  [
    'a missing plural form',
    'fr',
    { text: 'Bonjour {{name}}', seats_one: '{{count}} place', seats_other: '{{count}} places' },
    ['seats_many is missing'],
  ],
  [
    'extra',
    'ja',
    { text: 'こんにちは {{name}}', seats_one: '{{count}} 席', seats_other: '{{count}} 席' },
    ['seats_one is not one of the texts'],
  ],
  [
    'untranslated',
    'ko',
    { text: 'Hello {{name}}', seats_other: '{{count}}석' },
    ['text is not translated'],
  ],
  [
    'half translated',
    'zh',
    { text: 'Hi {{name}}', seats_other: '{{count}} 个席位' },
    ['text is not translated'],
  ],
  [
    'in a wrong script',
    'de',
    { text: '您好 {{name}}', seats_one: '{{count}} Platz', seats_other: '{{count}} Plätze' },
    ['text is not translated'],
  ],
  [
    'without its placeholder',
    'zh',
    { text: '您好', seats_other: '{{count}} 个席位' },
    ['text has no placeholder where English has {{name}}'],
  ],
  [
    'with another placeholder in a form',
    'ko',
    { text: '{{name}} 님, 안녕하세요', seats_other: '{{ count }}석' },
    [
      'seats_other has no placeholder where English has {{count}}',
      'seats_other has a broken placeholder',
    ],
  ],
  [
    'empty',
    'ko',
    { text: '{{name}}', seats_other: '{{count}} ' },
    ['seats_other is empty, or has spaces around it'],
  ],
])('a text that is %s is found', (_, language, messages, mistakes) => {
  expect(findMistakes(language, messages, text, new Set())).toEqual(mistakes)
})

test('a text that may be as in English, and is not any more, is found', () => {
  expect(findMistakes('en', text, text, new Set(['text']))).toEqual([])
  const german = {
    text: 'Hallo {{name}}',
    seats_one: '{{count}} Platz',
    seats_other: '{{count}} Plätze',
  }
  expect(findMistakes('de', german, text, new Set(['text']))).toEqual([
    "text is said to be the same as in English, and isn't",
  ])
})

function messagesOf(language: string) {
  return JSON.parse(readFileSync(`${import.meta.dirname}/${language}.json`, 'utf8')) as Messages
}

/** The keys that the glossary of the language lists as the same as in English, each with a reason. */
function alikeIn(language: string) {
  if (language === 'en') return new Set<string>()
  const glossary = readFileSync(`${import.meta.dirname}/glossary/${language}.md`, 'utf8')
  const [, list = ''] = glossary.split('## Same as in English')
  return new Set([...list.matchAll(/^- `([^`]+)`/gm)].map(([, key]) => key!))
}
