import type { Plan } from '#config/plans.ts'
import { projectPath } from '#contract/paths.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.tsx'
import type { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/use-action.ts'
import { ButtonLink } from '../../components/button.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { ChangeForm } from './change-form.tsx'
import { ChangeProblem } from './change-problem.tsx'
import { ChangeSummary, SummarySkeleton } from './change-summary.tsx'
import { PlanDifference } from './plan-difference.tsx'

type Change = { from: Plan; to: Plan }

/** What the change costs, and the button that makes it. */
export function ConfirmChange(change: Change) {
  return (
    <FormPage title="billing.change.confirm">
      <PreviewedChange {...change} />
    </FormPage>
  )
}

function PreviewedChange({ from, to }: Change) {
  const { subscription } = useProject()
  const { id: subscriptionId } = subscription
  // Once the change is made there is nothing to preview any more.
  const [isSent, setSent] = useState(false)
  const { data, error, refetch } = useCall('previewPlanChange', { subscriptionId, planId: to.id }, { enabled: !isSent })
  const cards = useCall('getPaymentMethods', { subscriptionId }, { enabled: !from.free && !to.free })

  function refused({ reason }: CallError) {
    setSent(false)
    if (reason === 'previewOutdated') void refetch()
  }

  if (error && !data) return <Impossible retry={mayHaveArrived.has(error.reason) ? () => void refetch() : undefined} error={error} />
  if (!data || cards.isLoading) return <SummarySkeleton />
  const card = cards.data?.paymentMethods.find(({ isDefault }) => isDefault)?.card
  return (
    <ChangeForm {...{ from, to }} quote={data.quote} onSent={() => setSent(true)} onRefused={refused}>
      <ChangeSummary preview={data.preview} {...{ from, to, card }} />
      <PlanDifference {...{ from, to }} />
    </ChangeForm>
  )
}

function Impossible(problem: Parameters<typeof ChangeProblem>[0]) {
  const t = useT()
  const { subscription } = useProject()
  return (
    <div className="grid gap-5">
      <ChangeProblem {...problem} />
      {problem.error.reason !== 'planChangeNotPaid' && (
        <ButtonLink to={projectPath('changePlan', subscription.id)} size="large" className="justify-self-end">
          {t('billing.change.other')}
        </ButtonLink>
      )}
    </div>
  )
}
