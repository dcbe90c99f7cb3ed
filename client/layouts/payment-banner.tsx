import { projectPath } from '#contract/paths.ts'
import { useLocation } from 'react-router'
import { Message } from '../components/message.tsx'
import { TextLink } from '../components/text-link.tsx'
import { useT } from '../i18n.ts'
import { useProject } from './use-project.ts'

/** Tells administrators that money is in trouble. Where it is put right, the screen itself says more. */
export function PaymentBanner() {
  const t = useT()
  const { pathname } = useLocation()
  const { subscription, isActive, isAdmin } = useProject()
  const billing = projectPath('billing', subscription.id)
  if (!isAdmin || !isActive || subscription.payment === 'ok' || pathname === billing) return null
  return (
    <Message
      tone="warn"
      action={
        <TextLink to={billing} className="underline">
          {t('billing.overdue.toBilling')}
        </TextLink>
      }
    >
      {t(subscription.payment === 'past_due' ? 'billing.pastDue' : 'billing.actionRequired')}
    </Message>
  )
}
