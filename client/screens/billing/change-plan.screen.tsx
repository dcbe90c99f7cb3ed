import type { Plan } from '#config/plans.ts'
import { findPlan } from '#contract/access.ts'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { PageTitle } from '../../components/page-title.tsx'
import { PlanGrid } from '../../components/plan-grid.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { ConfirmChange } from './confirm-change.tsx'
import { isOtherPrice, weeklyPrice } from './plans.ts'

/**
 * Step 1 chooses a plan, step 2 makes the change. The step is in the address, so that "back" works.
 */
export function ChangePlan() {
  const [query] = useSearchParams()
  const { plan } = useProject()
  // The project is on the new plan when step 2 says that it worked.
  const [from] = useState(plan)
  const to = findPlan(query.get('plan') ?? '')
  return to && !to.legacy && to.id !== from.id ? (
    <ConfirmChange key={to.id} {...{ from, to }} />
  ) : (
    <ChoosePlan />
  )
}

function ChoosePlan() {
  const t = useT()
  const navigate = useNavigate()
  const { subscription, plan, pathTo } = useProject()
  const choose = ({ id }: Plan) => void navigate(`${pathTo('changePlan')}?plan=${id}`)
  return (
    <>
      <PageTitle
        title={t('billing.change.title')}
        action={<TextLink to={pathTo('billing')}>{t('billing.cancel.back')}</TextLink>}
      >
        <p className="mt-1.5 text-soft">
          {t(plan.legacy ? 'billing.change.legacy' : 'billing.change.intro', {
            plan: t(plan.titleKey),
          })}
        </p>
      </PageTitle>
      <PlanGrid
        current={subscription.plan_id}
        ownPrice={isOtherPrice(subscription, plan) ? weeklyPrice(subscription, plan) : undefined}
        onChoose={choose}
      />
    </>
  )
}
