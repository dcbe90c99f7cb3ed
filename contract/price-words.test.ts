import { createTranslator, type Messages } from '#locales/translator.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { priceWords } from './price-words.ts'
import type { Price } from './prices.ts'

const prices: Price[] = [
  { amount: 1000, currency: 'usd', frequency: 'week', every: 1 },
  { amount: 9900, currency: 'eur', frequency: 'month', every: 3 },
  { amount: 6000, currency: 'jpy', frequency: 'year', every: 1 },
  { amount: 12_500, currency: 'kwd', frequency: 'day', every: 10 },
]

test.each([
  ['en', '$10.00 per week', '€99.00 every 3 months', '¥6,000 per year', 'KWD 12.500 every 10 days'],
  ['de', '$10.00 pro Woche', '€99.00 alle 3 Monate', '¥6,000 pro Jahr', 'KWD 12.500 alle 10 Tage'],
  [
    'fr',
    '$10.00 par semaine',
    '€99.00 tous les 3 mois',
    '¥6,000 par an',
    'KWD 12.500 tous les 10 jours',
  ],
  ['ja', '$10.00/週', '€99.00/3か月', '¥6,000/年', 'KWD 12.500/10日'],
  ['zh', '$10.00 / 周', '€99.00 / 3 个月', '¥6,000 / 年', 'KWD 12.500 / 10 天'],
])(
  'in the language %s, a price says its amount and for what time it is',
  async (code, ...words) => {
    const file = join(import.meta.dirname, '..', 'locales', `${code}.json`)
    const t = createTranslator(JSON.parse(await readFile(file, 'utf8')) as Messages, code)
    const said = prices.map((price) => priceWords(price, t).replaceAll('\u{a0}', ' '))
    expect(said).toEqual(words)
  },
)
