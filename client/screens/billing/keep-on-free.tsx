import type { Plan } from '#config/plans.ts'
import { useCall } from '../../api/queries.tsx'
import { mayHaveArrived } from '../../api/call.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { problemText } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { freePlan } from './free-plan.ts'

/** Offers the free plan instead of a cancellation, or says why the project can't have it. */
export function KeepOnFree({ isOpen }: { isOpen: boolean }) {
  const { plan } = useProject()
  return freePlan && !plan.free ? <Offer plan={freePlan} isOpen={isOpen} /> : null
}

function Offer({ plan: { id: planId, titleKey, seats }, isOpen }: { plan: Plan; isOpen: boolean }) {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const { error } = useCall('previewPlanChange', { subscriptionId, planId }, { enabled: isOpen })
  // If the provider alone can't be reached, it may answer on the next screen.
  const hindrance =
    error && error.reason !== 'paymentsUnavailable' && !mayHaveArrived.has(error.reason)
      ? error
      : undefined
  const plan = t(titleKey)
  return (
    <Card title={t('billing.cancel.keepFree', { plan })}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="text-soft">{t('billing.cancel.keepFreeText', { seats })}</p>
          {hindrance && <p className="mt-1.5 font-medium text-warn">{problemText(hindrance, t)}</p>}
        </div>
        <ButtonLink
          to={`${pathTo('changePlan')}?plan=${planId}`}
          disabled={!isOpen || hindrance !== undefined}
          className="max-sm:w-full"
        >
          {t('billing.change.submit', { plan })}
        </ButtonLink>
      </div>
    </Card>
  )
}
