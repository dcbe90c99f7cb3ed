import { expect, test } from 'vitest'
import { matchLanguage } from './match-language.ts'

const ours = ['en', 'zh', 'zh-TW', 'de', 'fr', 'es', 'pt', 'ja', 'ko']

test.each([
  ['zh', 'zh'],
  ['zh-TW', 'zh-TW'],
  ['zh-HK', 'zh-TW'],
  ['zh-Hant', 'zh-TW'],
  ['zh-SG', 'zh'],
  ['pt-BR', 'pt'],
  ['fr-CA', 'fr'],
  ['es-419', 'es'],
  ['EN-gb', 'en'],
  ['it', undefined],
  ['auto', undefined],
  ['*', undefined],
  ['', undefined],
])('the language that fits %o is %o', (tag, code) => {
  expect(matchLanguage(tag, ours)).toBe(code)
})
