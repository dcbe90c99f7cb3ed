import { Message } from '../components/message.tsx'
import { useT } from '../i18n.ts'
import { useProject } from './use-project.ts'

/** Tells administrators that money is in trouble. */
export function PaymentBanner() {
  const t = useT()
  const { subscription, isAdmin } = useProject()
  if (!isAdmin || subscription.payment === 'ok') return null
  return <Message tone="warn">{t(subscription.payment === 'past_due' ? 'billing.pastDue' : 'billing.actionRequired')}</Message>
}
