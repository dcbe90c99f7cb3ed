import type { EpochSeconds, Timestamp } from './entities.ts'

export type Moment = Timestamp | EpochSeconds

/**
 * Nov 21, 2026 in English; 2026年11月21日 and the like in Chinese, Japanese and Korean; 21 Nov 2026
 * elsewhere. In the reader's time zone unless one is given.
 */
export function formatDate(moment: Moment, language: string, timeZone?: 'UTC') {
  const zone = timeZone && { timeZone }
  const date = toDate(moment)
  if (language === 'en')
    return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', ...zone }).format(date)
  if (/^(zh|ja|ko)/.test(language))
    return new Intl.DateTimeFormat(language, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      ...zone,
    }).format(date)
  const parts = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    ...zone,
  }).formatToParts(date)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value
  return `${part('day')} ${part('month')} ${part('year')}`
}

/** 3:05 PM in English, 15:05 elsewhere. */
export function formatTime(moment: Moment, language: string, timeZone?: 'UTC') {
  const zone = timeZone && { timeZone }
  const date = toDate(moment)
  if (language !== 'en')
    return new Intl.DateTimeFormat(language, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...zone,
    }).format(date)
  const time = new Intl.DateTimeFormat('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    ...zone,
  }).format(date)
  return time.replace('\u202f', ' ')
}

function toDate(moment: Moment) {
  return typeof moment === 'number' ? new Date(moment * 1000) : new Date(moment)
}
