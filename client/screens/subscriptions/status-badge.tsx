import type { PaymentState, Subscription, SubscriptionStatus } from '#contract/entities.ts'
import { isAdmin } from '#contract/access.ts'
import { useSession } from '../../api/session.ts'
import { Badge } from '../../components/card.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'

export function StatusBadge({ status }: { status: SubscriptionStatus }) {
  const t = useT()
  return (
    <Badge tone={status === 'active' ? 'good' : 'neutral'} dot>
      {t(`project.status.${status}`)}
    </Badge>
  )
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
  const missing = useMissingPayment(project)
  if (!missing) return null
  return (
    <Badge tone="warn" dot>
      {t(`project.payment.${missing}`)}
    </Badge>
  )
}

/** What is wrong with the payment, if the user may see the billing. */
export function useMissingPayment(project: Subscription): Exclude<PaymentState, 'ok'> | undefined {
  const { user } = useSession()
  const { payment, status } = project
  if (payment === 'ok' || status !== 'active' || !isAdmin(project, user.uid)) return undefined
  return payment
}
