import type { Plan } from '#config/plans.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.tsx'
import type { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/call.ts'
import { ButtonLink } from '../../components/button.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { defaultOf } from './card-words.ts'
import { ChangeForm } from './change-form.tsx'
import { ChangeProblem } from './change-problem.tsx'
import { Summary, SummarySkeleton } from './change-summary.tsx'
import { PlanDifference } from './plan-difference.tsx'
import { usePlace } from './use-place.ts'

type Change = { from: Plan; to: Plan }

/** Shows what the change costs, and makes it. */
export function ConfirmChange(change: Change) {
  return (
    <FormPage title="billing.change.confirm" wide={change.from.free}>
      <PreviewedChange {...change} />
    </FormPage>
  )
}

function PreviewedChange({ from, to }: Change) {
  const { subscriptionId } = useProject()
  // After the change there is nothing to preview.
  const [isSent, setSent] = useState(false)
  const { place, typed, isSettled, type } = usePlace()
  const asked = { subscriptionId, planId: to.id, ...(from.free && { address: place }) }
  const { data, error, refetch, isPlaceholderData } = useCall('previewPlanChange', asked, {
    enabled: !isSent,
    keepPrevious: true,
  })
  const staysPaid = !from.free && !to.free
  const cards = useCall('getPaymentMethods', { subscriptionId }, { enabled: staysPaid })
  const [isBegun, setBegun] = useState(false)
  if (data && !isBegun) setBegun(true)

  const retry = () => void refetch()
  function refused({ reason }: CallError) {
    setSent(false)
    if (reason === 'previewOutdated') retry()
  }

  // A form that the user has seen stays, even when a later preview fails.
  if (error && !isBegun)
    return <Impossible retry={mayPass(error) ? retry : undefined} error={error} />
  if (!isBegun || cards.isLoading) return <SummarySkeleton />
  const card = defaultOf(cards.data)?.card
  return (
    <ChangeForm
      {...{ from, to }}
      preview={data?.preview}
      quote={data?.quote}
      isCurrent={data !== undefined && isSettled && !isPlaceholderData}
      onSent={() => setSent(true)}
      onRefused={refused}
      summary={<Summary preview={data?.preview} {...{ from, to, card, error, retry }} />}
      place={typed}
      onPlace={type}
    >
      <PlanDifference {...{ from, to }} />
    </ChangeForm>
  )
}

function Impossible(problem: Parameters<typeof ChangeProblem>[0]) {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <div className="grid gap-5">
      <ChangeProblem {...problem} />
      {problem.error.reason !== 'planChangeNotPaid' && (
        <ButtonLink to={pathTo('changePlan')} size="large" className="justify-self-end">
          {t('billing.change.other')}
        </ButtonLink>
      )}
    </div>
  )
}

function mayPass({ reason }: CallError) {
  return reason === 'paymentsUnavailable' || mayHaveArrived.has(reason)
}
