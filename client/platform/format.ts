import { languages } from '#config/languages.ts'
import {
  formatBillingDate,
  formatDate,
  formatTime,
  joinTime,
  type Moment,
} from '#contract/dates.ts'
import { formatSize } from '#contract/entitlements.ts'
import { formatMoney } from '#contract/money.ts'
import { useLanguage, type Translate } from './i18n.ts'
import { useTimeZone } from './time-zone.ts'

export function useFormat() {
  const language = useLanguage()
  const zone = useTimeZone()
  const date = (moment: Moment) => unbroken(formatDate(moment, language, zone))
  const time = (moment: Moment) => formatTime(moment, language, zone)
  return {
    date,
    time,
    dateTime: (moment: Moment) => joinTime(date(moment), time(moment), language),
    billingDate: (moment: Moment) => unbroken(formatBillingDate(moment, language)),
    // Without this mark, right-to-left text shows the minus behind its number.
    money: (...of: Parameters<typeof formatMoney>) =>
      `${languages[language].dir === 'rtl' ? '\u200e' : ''}${formatMoney(...of)}`,
    size: (bytes: number) => formatSize(bytes, language),
    list: (words: string[]) => new Intl.ListFormat(language, { type: 'conjunction' }).format(words),
  }
}

/** Lines break between the Chinese characters of a date and its numbers unless a mark joins them. */
function unbroken(date: string) {
  return date.replaceAll(/(?<=[年月])(?=\d)/g, '\u2060')
}

/** Several sentences as one text, without those that are missing. */
export function sentences(t: Translate, ...texts: (string | false | 0 | null | undefined)[]) {
  return texts
    .filter((text) => typeof text === 'string')
    .reduce((first, second) => t('common.sentences', { first, second }))
}
