import { formatDate, formatTime, type Moment } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { useLanguage } from './i18n.ts'

export function useFormat() {
  const language = useLanguage()
  return {
    /** A date that stays on one line. */
    date: (moment: Moment) => formatDate(moment, language).replaceAll(' ', '\u00A0'),
    time: (moment: Moment) => formatTime(moment, language),
    dateTime: (moment: Moment) =>
      [formatDate(moment, language), formatTime(moment, language)].join(
        language === 'en' ? ', ' : ' ',
      ),
    money: formatMoney,
    list: (words: string[]) =>
      new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' }).format(words),
  }
}
