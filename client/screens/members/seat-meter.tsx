import type { Seats } from '#contract/entities.ts'
import { Meter } from '../../components/meter.tsx'
import { useT } from '../../platform/i18n.ts'

type SeatMeterProps = {
  seats: Seats
  /** Whether nothing beside the meter says so if the owner is the only one. */
  saysAlone?: boolean | undefined
}

/** Shows the used seats of a plan. Pending invites are paler. */
export function SeatMeter({
  seats: { total: seats, members, pending },
  saysAlone = false,
}: SeatMeterProps) {
  const t = useT()
  const used = members + pending
  const words =
    pending > 0
      ? t('users.seatsWithPending', { used, seats, pending })
      : t(saysAlone && used === 1 ? 'users.seatsAlone' : 'users.seats', { used, seats })
  return <Meter words={words} most={seats} used={used} certain={members} />
}
