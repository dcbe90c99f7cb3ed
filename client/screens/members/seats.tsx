import { plans, type Plan } from '#config/plans.ts'
import type { Seats } from '#contract/entities.ts'
import { useCall } from '../../api/queries.ts'
import { TextLink } from '../../components/button.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { MeterSkeleton, Meter } from '../../components/meter.tsx'
import { firstPage } from '../../components/use-query.ts'
import { MoreByPlan, useWayToMore } from '../../layouts/usage.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'

/** The seats of the project, from the users list: every page of it has them. */
export function useSeats({ enabled = true } = {}) {
  const { subscriptionId } = useProject()
  const read = useCall('getSubscriptionUsers', { subscriptionId, ...firstPage }, { enabled })
  const seats = read.data?.seats
  return { seats, free: seats && freeOf(seats), error: read.error, isLoading: read.isLoading }
}

export const freeOf = ({ total, members, pending }: Seats) => Math.max(0, total - members - pending)

/** For administrators: others don't see who is invited. */
export function SeatsTaken() {
  const { isAdmin } = useProject()
  const { seats, error } = useSeats({ enabled: isAdmin })
  if (!isAdmin || (error && !seats)) return null
  if (!seats) return <MeterSkeleton />
  return <SeatsInUse seats={seats} saysAlone />
}

/** The meter, and below it that one seat or none is left in a project that can still grow. */
export function SeatsInUse({ seats, saysAlone }: { seats: Seats; saysAlone?: boolean }) {
  const t = useT()
  const { isActive } = useProject()
  const { to, says } = useWayToMore(useIsLargest())
  const free = freeOf(seats)
  return (
    <div className="grid w-full gap-1.5">
      <SeatMeter seats={seats} saysAlone={saysAlone} />
      <LiveRegion className="text-small">
        {isActive && free <= 1 && (
          <p className="text-soft wrap-anywhere">
            <span className="font-strong text-warn">
              {t(free === 0 ? 'users.full.none' : 'users.full.last')}
            </span>
            {(to || says) && <span aria-hidden> · </span>}
            {to ? <TextLink to={to}>{t('users.full.upgrade')}</TextLink> : says}
          </p>
        )}
      </LiveRegion>
    </div>
  )
}

/** Says in a form that the plan has one seat left, or none. */
export function SeatsLeft({ seats: { total }, free }: { seats: Seats; free: number }) {
  const t = useT()
  if (free > 1) return null
  return free === 0 ? (
    <SeatsMessage tone="warn" title={t('errors.seatsFull', { seats: total })} />
  ) : (
    <SeatsMessage tone="neutral" title={t('users.full.last')} />
  )
}

type SeatsMessageProps = { tone: 'warn' | 'neutral'; title: string }

export function SeatsMessage(message: SeatsMessageProps) {
  return <MoreByPlan {...message} isLargest={useIsLargest()} />
}

function useIsLargest() {
  const { plan } = useProject()
  return !plans.some(({ legacy, seats }: Plan) => !legacy && seats > plan.seats)
}

type SeatMeterProps = {
  seats: Seats
  /** Whether nothing beside the meter says so if the owner is the only one. */
  saysAlone?: boolean | undefined
}

/** Shows the used seats of a plan. Pending invites are paler. */
function SeatMeter({
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
