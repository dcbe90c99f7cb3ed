import { limits } from '#config/limits.ts'
import { useCall } from '../../api/queries.tsx'
import { SeatMeter } from '../../components/seat-meter.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useProject } from '../../layouts/use-project.ts'

/** Every page of the users list carries the seats. */
export function SeatsTaken() {
  const { subscriptionId } = useProject()
  const { data, error } = useCall('getSubscriptionUsers', {
    subscriptionId,
    page: 1,
    pageSize: limits.pages.defaultSize,
  })
  if (error && !data) return null
  if (!data)
    return (
      <Skeleton className="grid h-8.5 content-between py-0.5" bones={['h-3.5 w-32', 'h-1.5']} />
    )
  return (
    <div className="max-w-80">
      <SeatMeter seats={data.seats} />
    </div>
  )
}
