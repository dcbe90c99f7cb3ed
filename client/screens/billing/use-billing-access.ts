import { whyNot } from '#contract/access.ts'
import { useSession } from '../../api/session.ts'
import { useProject } from '../../layouts/use-project.ts'

/** The id of the element that says the reason. */
export const reasonId = 'billing-reason'

/**
 * The reason why the user can't change the billing, if there is one. A canceled project has the
 * same reason for everybody.
 */
export function useBillingAccess() {
  const { user } = useSession()
  const { subscription, isActive } = useProject()
  const reason = isActive
    ? whyNot({ needs: 'owner' }, user.uid, subscription)
    : ('subscriptionCanceled' as const)
  return { reason, isOpen: reason === undefined, describedBy: reason && reasonId }
}
