import type { EpochSeconds } from '#contract/entities.ts'
import { useFormat } from '../platform/format.ts'

type TimeAgoProps = { at: EpochSeconds; className?: string }

/** How long ago something happened, as "2 hours ago". The title has the exact time. */
export function TimeAgo({ at, className }: TimeAgoProps) {
  const format = useFormat()
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={format.dateTime(at)}
      className={className}
    >
      {format.ago(at)}
    </time>
  )
}
