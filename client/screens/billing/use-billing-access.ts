import { whyNot } from '#contract/access.ts'
import { useSession } from '../../api/use-session.tsx'
import { useProject } from '../../layouts/use-project.ts'

/** Why nothing about the billing can be changed here, or nothing if it can. That it is all over matters more than to whom it belongs. */
export function useBillingAccess() {
  const { user } = useSession()
  const { subscription, isActive } = useProject()
  return isActive ? whyNot({ needs: 'owner' }, user.uid, subscription) : 'subscriptionCanceled'
}
