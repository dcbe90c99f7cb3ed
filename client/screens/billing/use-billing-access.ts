import { whyNot } from '#contract/access.ts'
import { useSession } from '../../api/use-session.tsx'
import { useProject } from '../../layouts/use-project.ts'

/**
 * The reason why the user can't change the billing, if there is one. A canceled project has the
 * same reason for everybody.
 */
export function useBillingAccess() {
  const { user } = useSession()
  const { subscription, isActive } = useProject()
  return isActive ? whyNot({ needs: 'owner' }, user.uid, subscription) : 'subscriptionCanceled'
}
