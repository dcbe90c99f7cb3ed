import type { Plan } from '#config/plans.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { BillingInfo } from '#contract/entities.ts'
import { projectPath } from '#contract/paths.ts'
import type { ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { CallForm } from '../../components/call-form.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { BillingForm } from './billing-form.tsx'
import { ChangeProblem } from './change-problem.tsx'
import { useChallenge } from './use-challenge.tsx'

type ChangeFormProps = {
  from: Plan
  to: Plan
  /** What the amounts above the button were answered with. */
  quote: string | undefined
  onSent: () => void
  onRefused: (error: CallError) => void
  children: ReactNode
}

/** One button; coming from a free plan, who pays and how stands before it. */
export function ChangeForm({ from, to, quote, onSent, onRefused, children }: ChangeFormProps) {
  const t = useT()
  const { subscription } = useProject()
  const { id: subscriptionId } = subscription
  const { question, settle } = useChallenge()
  const billing = projectPath('billing', subscriptionId)

  function input(billingInfo?: BillingInfo) {
    onSent()
    return { subscriptionId, planId: to.id, ...(billingInfo && { billingInfo }), ...(quote !== undefined && { quote }) }
  }

  const form = {
    call: 'changeSubscriptionPlan',
    onDone: ({ clientSecret }: CallOutput<'changeSubscriptionPlan'>) => settle(subscriptionId, clientSecret),
    onRefused,
    submit: 'billing.change.submit',
    done: 'billing.change.done',
    words: { plan: t(to.titleKey) },
    failed: 'billing.change.failed',
    explain,
    cancel: projectPath('changePlan', subscriptionId),
  } as const

  return (
    <>
      {from.free ? (
        <BillingForm {...form} then={billing} plan={to} input={input}>
          {children}
          <h2 className="border-t border-line pt-5 text-card">{t('createPlan.checkout')}</h2>
        </BillingForm>
      ) : (
        <CallForm {...form} then={billing} input={() => input()}>
          {children}
        </CallForm>
      )}
      {question}
    </>
  )
}

function explain(error: CallError) {
  return <ChangeProblem error={error} />
}
