import type { EpochSeconds } from '#contract/entities.ts'
import { useEffect, useState } from 'react'
import { useFormat } from '../platform/format.ts'
import { useLanguage } from '../platform/i18n.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** How long ago something was, or its date after a week. The title has the exact time. */
export function Ago({ at, className }: { at: EpochSeconds; className?: string }) {
  const format = useFormat()
  const language = useLanguage()
  const now = useNow()
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={format.dateTime(at)}
      className={className}
    >
      {now - at < 7 * day ? relative(Math.max(0, now - at), language) : format.date(at)}
    </time>
  )
}

function relative(seconds: number, language: string) {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const say = (length: number, unit: 'minute' | 'hour' | 'day') =>
    format.format(-Math.floor(seconds / length), unit)
  if (seconds < minute) return format.format(0, 'second')
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
