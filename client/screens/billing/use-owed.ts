import { useCall } from '../../api/queries.ts'
import { useProject } from '../../layouts/use-project.ts'

/** Whether a payment is missing, and the id of the card that was declined for it, for the owner. */
export function useOwed() {
  const { subscriptionId, subscription, isOwner } = useProject()
  const isOwed = subscription.payment !== 'ok' || subscription.look_only?.because === 'trialEnded'
  const enabled = isOwed && isOwner
  const { data } = useCall('previewPayment', { subscriptionId }, { enabled })
  return { isOwed, declinedId: data?.owed?.declined?.id }
}
