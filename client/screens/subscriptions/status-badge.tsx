import type { Subscription } from '#contract/entities.ts'
import { useSession } from '../../api/session.ts'
import { Badge } from '../../components/card.tsx'
import { useFormat } from '../../platform/format.ts'
import { missingPayment } from '../../layouts/needs-user.ts'
import { useT } from '../../platform/i18n.ts'

/** What matters most about a project: what it waits for, that it ends, or its status. */
export function MainBadge({ project }: { project: Subscription & { is_shut?: boolean } }) {
  const t = useT()
  const format = useFormat()
  const { user } = useSession()
  const { status, ends, is_shut: isShut } = project
  const isActive = status === 'active'
  if (isShut) return <Badge tone="warn">{t('project.shut.title')}</Badge>
  if (missingPayment(project, user.uid)) return <PaymentBadge project={project} />
  if (ends !== null && isActive)
    return <Badge tone="warn">{t('project.ends', { date: format.billingDate(ends) })}</Badge>
  return (
    <Badge tone={isActive ? 'good' : 'neutral'} dot>
      {t(`project.status.${status}`)}
    </Badge>
  )
}

/** Says that a payment is missing, to those who may see the billing. */
export function PaymentBadge({ project }: { project: Subscription }) {
  const t = useT()
  const { user } = useSession()
  const missing = missingPayment(project, user.uid)
  if (!missing) return null
  return (
    <Badge tone="warn" dot>
      {t(`project.payment.${missing}`)}
    </Badge>
  )
}
