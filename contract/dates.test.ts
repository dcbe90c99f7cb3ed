import { expect, test } from 'vitest'
import { formatBillingDate, formatDate, formatDeadline, formatTime } from './dates.ts'

const afternoon = '2026-11-01T15:05:00Z'

test.each([
  ['en', 'Nov 1, 2026', '3:05 PM'],
  ['de', '1 Nov. 2026', '15:05'],
  ['fr', '1 nov. 2026', '15:05'],
  ['es', '1 nov 2026', '15:05'],
  ['pt', '1 nov. 2026', '15:05'],
  ['zh', '2026年11月1日', '15:05'],
  ['zh-TW', '2026年11月1日', '15:05'],
  ['ja', '2026年11月1日', '15:05'],
  ['ko', '2026년 11월 1일', '15:05'],
])('dates and times in %s', (language, date, time) => {
  expect([formatDate(afternoon, language, 'UTC'), formatTime(afternoon, language, 'UTC')]).toEqual([
    date,
    time,
  ])
  const seconds = Date.parse(afternoon) / 1000
  expect(formatBillingDate(seconds, language)).toBe(date)
  expect(formatDeadline(seconds, language)).toBe(
    language === 'en' ? `${date}, ${time} UTC` : `${date} ${time} UTC`,
  )
})

test('midnight is hour 0, in English 12 AM', () => {
  const midnight = '2026-11-01T00:30:00Z'
  expect([
    formatTime(midnight, 'en', 'UTC'),
    formatTime(midnight, 'fr', 'UTC'),
    formatTime(midnight, 'ja', 'UTC'),
  ]).toEqual(['12:30 AM', '00:30', '00:30'])
})
