import type { plans, PlanId } from '#config/plans.ts'
import { findPlan } from '#contract/access.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useAction } from '../../api/call.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { PlanGrid } from '../../components/plan-grid.tsx'
import { LiveProblem } from '../../components/problem.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { useT } from '../../i18n.ts'
import { Checkout } from './checkout.tsx'

/** Step 1 chooses a plan, step 2 pays for it. The step is in the address, so that "back" works. */
export function CreatePlan() {
  const [query] = useSearchParams()
  const plan = findPlan(query.get('plan') ?? '')
  return plan && !plan.free && !plan.legacy ? <Checkout plan={plan} /> : <ChoosePlan />
}

function ChoosePlan() {
  const t = useT()
  const navigate = useNavigate()
  const goOn = useGoOn()
  const create = useAction('createSubscription')
  const [chosen, setChosen] = useState<PlanId>()

  async function choose(plan: (typeof plans)[number]) {
    if (!plan.free) return navigate(`${paths.createPlan}?plan=${plan.id}`)
    setChosen(plan.id)
    const created = await create.run({ planId: plan.id })
    if (created) goOn(projectPath('settings', created.subscriptionId))
  }

  return (
    <>
      <PageTitle title={t('createPlan.title')}>
        <p className="mt-1.5 text-soft">{t('createPlan.intro')}</p>
      </PageTitle>
      <LiveProblem error={create.error} failed="createPlan.failed" />
      <PlanGrid busy={create.busy ? chosen : undefined} onChoose={(plan) => void choose(plan)} />
    </>
  )
}
