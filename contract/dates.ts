import type { EpochSeconds, Timestamp } from './entities.ts'
import { memoize } from './memoize.ts'

export type Moment = Timestamp | EpochSeconds

/** `Nov 21, 2026` in English, `2026年11月21日` in Japanese, `21 Nov 2026` in other languages. */
export function formatDate(moment: Moment, language: string, timeZone?: string) {
  const format = dateFormat(language, timeZone)
  if (isCjk(language) || language === 'en') return format.format(toDate(moment))
  const parts = format.formatToParts(toDate(moment))
  const [day, month, year] = (['day', 'month', 'year'] as const).map(
    (type) => parts.find((part) => part.type === type)?.value,
  )
  return `${day} ${month} ${year}`
}

/** Formats a time of day: 3:05 PM in English, 15:05 in other languages. */
export function formatTime(moment: Moment, language: string, timeZone?: string) {
  return timeFormat(language, timeZone).format(toDate(moment)).replace('\u202f', ' ')
}

/**
 * The date of a payment or an invoice. Everybody reads the date that the invoice has, which is in
 * UTC, so that screens, mails and invoices agree.
 */
export function formatBillingDate(moment: Moment, language: string) {
  return formatDate(moment, language, 'UTC')
}

/** The end of a time in which something can be done: `Nov 21, 2026, 3:05 PM UTC`. */
export function formatDeadline(moment: Moment, language: string) {
  const [date, time] = [formatDate(moment, language, 'UTC'), formatTime(moment, language, 'UTC')]
  return `${joinTime(date, time, language)} UTC`
}

/** A date with a time of day. */
export function joinTime(date: string, time: string, language: string) {
  return [date, time].join(language === 'en' ? ', ' : ' ')
}

const dateFormat = memoize(
  (language: string, timeZone?: string) =>
    new Intl.DateTimeFormat(language === 'en' ? 'en-US' : language, {
      year: 'numeric',
      month: isCjk(language) ? 'long' : 'short',
      day: 'numeric',
      ...(timeZone && { timeZone }),
    }),
)

const timeFormat = memoize((language: string, timeZone?: string) => {
  const isEnglish = language === 'en'
  return new Intl.DateTimeFormat(isEnglish ? 'en-US' : language, {
    hour: isEnglish ? 'numeric' : '2-digit',
    minute: '2-digit',
    ...(!isEnglish && { hourCycle: 'h23' }),
    ...(timeZone && { timeZone }),
  })
})

function isCjk(language: string) {
  return /^(zh|ja|ko)/.test(language)
}

export function toDate(moment: Moment) {
  return typeof moment === 'number' ? new Date(moment * 1000) : new Date(moment)
}
