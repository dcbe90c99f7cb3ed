import { toDate, type Moment } from '#contract/dates.ts'
import { useEffect, useState } from 'react'
import { useFormat } from '../platform/format.ts'
import { useLanguage, useT } from '../platform/i18n.ts'
import { classes } from './classes.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** How long ago something was, or its date after a week. The title has the exact time. */
export function Ago({ at, className }: { at: Moment; className?: string }) {
  const format = useFormat()
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const then = toDate(at)
  const seconds = Math.max(0, now - then.getTime() / 1000)
  return (
    <time
      dateTime={then.toISOString()}
      title={format.dateTime(at)}
      className={classes('whitespace-nowrap', className)}
    >
      {seconds < minute
        ? t('activity.justNow')
        : seconds < 7 * day
          ? relative(seconds, language)
          : format.date(at)}
    </time>
  )
}

function relative(seconds: number, language: string) {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const say = (length: number, unit: 'minute' | 'hour' | 'day') =>
    format.format(-Math.floor(seconds / length), unit)
  if (seconds < hour) return say(minute, 'minute')
  return seconds < day ? say(hour, 'hour') : say(day, 'day')
}

/** The present time in seconds, renewed every minute. */
function useNow() {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
