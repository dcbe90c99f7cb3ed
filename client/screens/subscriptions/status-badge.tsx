import type { SubscriptionStatus } from '#contract/entities.ts'
import { Badge } from '../../components/badge.tsx'
import { useT } from '../../i18n.ts'

export function StatusBadge({ status }: { status: SubscriptionStatus }) {
  const t = useT()
  return (
    <Badge tone={status === 'active' ? 'good' : 'neutral'} dot>
      {t(`project.status.${status}`)}
    </Badge>
  )
}
