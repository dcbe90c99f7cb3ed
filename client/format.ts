import type { EpochSeconds, Timestamp } from '#contract/entities.ts'
import { formatMoney } from '#contract/money.ts'
import { useLanguage } from './i18n.ts'

/** Dates, times, money and lists as the reader's language writes them. */
export function useFormat() {
  const language = useLanguage()
  return {
    date: (moment: Moment) => formatDate(moment, language),
    dateTime: (moment: Moment) => `${formatDate(moment, language)} ${formatTime(moment, language)}`,
    money: formatMoney,
    list: (words: string[]) => new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(words),
  }
}

type Moment = Timestamp | EpochSeconds

/** Nov 21, 2026 in English, 2026年11月21日 and its like in Chinese, Japanese and Korean, 21 Nov 2026 elsewhere. */
export function formatDate(moment: Moment, language: string) {
  const date = toDate(moment)
  if (language === 'en') return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(date)
  if (/^(zh|ja|ko)/.test(language))
    return new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', day: 'numeric' }).format(date)
  const parts = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', day: 'numeric' }).formatToParts(date)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value
  return `${part('day')} ${part('month')} ${part('year')}`
}

/** 3:05 PM in English, 15:05 elsewhere. */
export function formatTime(moment: Moment, language: string) {
  if (language !== 'en')
    return new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(toDate(moment))
  const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }).format(toDate(moment))
  return time.replace('\u202f', ' ')
}

function toDate(moment: Moment) {
  return typeof moment === 'number' ? new Date(moment * 1000) : new Date(moment)
}
