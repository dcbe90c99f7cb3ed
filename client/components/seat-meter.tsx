import { useT } from '../i18n.ts'

type SeatMeterProps = { used: number; pending: number; seats: number }

/** How many places of the plan are taken, in words and as a bar. */
export function SeatMeter({ used, pending, seats }: SeatMeterProps) {
  const t = useT()
  const percent = Math.min(100, Math.round((used / seats) * 100))
  const words = pending > 0 ? t('users.seatsWithPending', { used, seats, pending }) : t('users.seats', { used, seats })
  return (
    <div className="w-full">
      <p className="text-small tabular-nums">{words}</p>
      <div className="mt-2 h-1.5 overflow-hidden rounded-full bg-line forced-colors:border">
        <div className="h-full rounded-full bg-accent forced-colors:bg-[CanvasText]" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
