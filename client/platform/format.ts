import { formatDate, formatTime, type Moment } from '#contract/dates.ts'
import type { EpochSeconds } from '#contract/entities.ts'
import { formatMoney } from '#contract/money.ts'
import { useLanguage } from './i18n.ts'

/** The units of `ago` and their lengths in seconds. */
const units = [
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

export function useFormat() {
  const language = useLanguage()
  return {
    date: (moment: Moment) => formatDate(moment, language),
    dateTime: (moment: Moment) =>
      [formatDate(moment, language), formatTime(moment, language)].join(
        language === 'en' ? ', ' : ' ',
      ),
    /** `2 hours ago`. After a week, the date. */
    ago(seconds: EpochSeconds) {
      const passed = Math.max(0, Math.floor(Date.now() / 1000 - seconds))
      const unit = units.find(([, length]) => passed >= length)
      if (unit?.[0] === 'week') return formatDate(seconds, language)
      const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
      return unit ? words.format(-Math.floor(passed / unit[1]), unit[0]) : words.format(0, 'second')
    },
    money: formatMoney,
    list: (words: string[]) =>
      new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' }).format(words),
  }
}
