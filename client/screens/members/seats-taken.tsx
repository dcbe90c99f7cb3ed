import { useCall } from '../../api/queries.tsx'
import { SeatMeter } from '../../components/seat-meter.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useProject } from '../../layouts/use-project.ts'

/** Reads the seats from the first page of the users list. Every page has them. */
export function SeatsTaken() {
  const { subscriptionId } = useProject()
  const { data, error } = useCall('getSubscriptionUsers', { subscriptionId, ...firstPage })
  if (error && !data) return null
  if (!data)
    return (
      <Skeleton className="grid h-8.5 content-between py-0.5" bones={['h-3.5 w-32', 'h-1.5']} />
    )
  return <SeatMeter seats={data.seats} saysAlone />
}
