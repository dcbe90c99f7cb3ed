import { plans, type Plan } from '#config/plans.ts'
import type { Seats } from '#contract/entities.ts'
import { useCall } from '../../api/queries.ts'
import { TextLink } from '../../components/button.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { Meter, MeterSkeleton } from '../../components/meter.tsx'
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

type SeatsInUseProps = {
  seats: Seats
  /** Whether nothing beside the meter says so if the owner is the only one. */
  saysAlone?: boolean
}

/**
 * The used seats, those of pending invites paler, and below them that one seat or none is left in a
 * project that can still grow.
 */
export function SeatsInUse({ seats, saysAlone = false }: SeatsInUseProps) {
  const t = useT()
  const { isActive } = useProject()
  const { to, says } = useWayToMore(useIsLargest())
  const free = freeOf(seats)
  const { total, members, pending } = seats
  const used = members + pending
  const usual = saysAlone && used === 1 ? 'users.seatsAlone' : 'users.seats'
  const words = pending > 0 ? 'users.seatsWithPending' : usual
  return (
    <div className="grid w-full gap-1.5">
      <Meter
        words={t(words, { used, seats: total, pending })}
        most={total}
        used={used}
        certain={members}
      />
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
  if (free === 1) return <SeatsMessage tone="neutral" title={t('users.full.last')} />
  return <SeatsMessage tone="warn" title={t('errors.seatsFull', { seats: total })} />
}

type SeatsMessageProps = { tone: 'warn' | 'neutral'; title: string }

export function SeatsMessage(message: SeatsMessageProps) {
  return <MoreByPlan {...message} isLargest={useIsLargest()} />
}

function useIsLargest() {
  const { plan } = useProject()
  return !plans.some(({ legacy, seats }: Plan) => !legacy && seats > plan.seats)
}
