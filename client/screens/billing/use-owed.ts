import { useCall } from '../../api/queries.ts'
import { useProject } from '../../layouts/use-project.ts'

/**
 * Whether a payment is missing, and for the owner, what is `owed`: undefined if the server could not
 * tell, null if nothing can be collected now.
 */
export function useOwed() {
  const { subscriptionId, subscription, isOwner } = useProject()
  const isOwed = subscription.payment !== 'ok' || subscription.look_only?.because === 'trialEnded'
  const enabled = isOwed && isOwner
  const { data, isLoading } = useCall('previewPayment', { subscriptionId }, { enabled })
  return { isOwed, owed: data?.owed, declined: data?.owed?.declined, isLoading }
}
