import type {
  Subscription,
  SubscriptionStatus,
  SubscriptionWithPeople,
} from '#contract/entities.ts'
import { useSession } from '../../api/session.ts'
import { Badge } from '../../components/card.tsx'
import { useFormat } from '../../platform/format.ts'
import { missingPayment } from '../../layouts/needs-user.ts'
import { useT } from '../../platform/i18n.ts'

export function StatusBadge({ status }: { status: SubscriptionStatus }) {
  const t = useT()
  return (
    <Badge tone={status === 'active' ? 'good' : 'neutral'} dot>
      {t(`project.status.${status}`)}
    </Badge>
  )
}

/** What matters most about a project in a list: what it waits for, that it ends, or its status. */
export function MainBadge({ project }: { project: SubscriptionWithPeople }) {
  const t = useT()
  const { user } = useSession()
  if (project.is_shut) return <Badge tone="warn">{t('project.shut.title')}</Badge>
  if (missingPayment(project, user.uid)) return <PaymentBadge project={project} />
  if (project.ends !== null && project.status === 'active') return <EndBadge project={project} />
  return <StatusBadge status={project.status} />
}

/** Says when an active project ends, if that is known. */
export function EndBadge({ project: { ends, status } }: { project: Subscription }) {
  const t = useT()
  const format = useFormat()
  if (ends === null || status !== 'active') return null
  return <Badge tone="warn">{t('project.ends', { date: format.billingDate(ends) })}</Badge>
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
