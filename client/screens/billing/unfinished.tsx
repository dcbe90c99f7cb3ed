import { findPlan } from '#contract/access.ts'
import { LiveRegion, Message } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'

/** Says that a change of plan or a cancellation has begun whose end is not known yet. */
export function Unfinished() {
  const t = useT()
  const { changing_to: to } = useProject().subscription
  const plan = to === null || to === 'canceled' ? undefined : findPlan(to)
  return (
    <LiveRegion>
      {to === 'canceled' && <Message tone="neutral">{t('billing.cancel.unfinished')}</Message>}
      {plan && (
        <Message tone="neutral">
          {t('billing.change.unfinished', { plan: t(plan.titleKey) })}
        </Message>
      )}
    </LiveRegion>
  )
}
