import type { EpochSeconds } from '#contract/entities.ts'
import { useFormat } from '../platform/format.ts'
import { useLanguage } from '../platform/i18n.ts'

/** Units and their lengths in seconds. */
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
const week = 7 * 86_400

/** How long ago something happened, as "2 hours ago". After a week, the date. */
export function TimeAgo({ at }: { at: EpochSeconds }) {
  const format = useFormat()
  const language = useLanguage()
  const passed = Math.max(0, Math.floor(Date.now() / 1000 - at))
  const [unit, length] = units.find(([, length]) => passed >= length) ?? ['second', Infinity]
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={format.dateTime(at)}>
      {passed < week ? words.format(-Math.floor(passed / length), unit) : format.date(at)}
    </time>
  )
}
