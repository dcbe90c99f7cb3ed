import type { Seats } from '#contract/entities.ts'
import { useT } from '../../platform/i18n.ts'
import { classes } from '../../components/classes.ts'

const part = 'absolute inset-y-0 start-0 rounded-full forced-colors:bg-[CanvasText]'

type SeatMeterProps = {
  seats: Seats
  /** Whether nothing beside the meter says so if the owner is the only one. */
  saysAlone?: boolean | undefined
}

/** Shows the used seats of a plan as text and as a bar. Pending invites are paler in the bar. */
export function SeatMeter({
  seats: { total: seats, members, pending },
  saysAlone = false,
}: SeatMeterProps) {
  const t = useT()
  const used = members + pending
  const percent = (count: number) => `${Math.min(100, Math.round((count / seats) * 100))}%`
  const color = used < seats ? 'bg-accent' : 'bg-warn'
  const words =
    pending > 0
      ? t('users.seatsWithPending', { used, seats, pending })
      : t(saysAlone && used === 1 ? 'users.seatsAlone' : 'users.seats', { used, seats })
  return (
    <div className="w-full">
      <p className="text-small tabular-nums">{words}</p>
      <div className="relative mt-2 h-1.5 overflow-hidden rounded-full bg-line forced-colors:border">
        <div className={classes(part, color, 'opacity-45')} style={{ width: percent(used) }} />
        <div className={classes(part, color)} style={{ width: percent(members) }} />
      </div>
    </div>
  )
}
