import type { Plan } from '#config/plans.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { BillingInfo, PlanChangePreview } from '#contract/entities.ts'
import { useState, type ComponentProps, type ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { CallForm } from '../../components/call-form.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { SummaryBox } from './beside.tsx'
import { BillingForm } from './billing-form.tsx'
import { ChangeProblem } from './change-problem.tsx'
import { useChallenge } from './use-challenge.tsx'

type ChangeFormProps = {
  from: Plan
  to: Plan
  preview: PlanChangePreview | undefined
  /** The token that came with the amounts of the preview. */
  quote: string | undefined
  /** Whether the preview belongs to what is typed now. */
  isCurrent: boolean
  onSent: () => void
  onRefused: (error: CallError) => void
  children: ReactNode
} & Pick<ComponentProps<typeof BillingForm>, 'summary' | 'place' | 'onPlace'>

/**
 * The button names the amount. A change from a free plan also asks for billing details and a card.
 */
export function ChangeForm(props: ChangeFormProps) {
  const { from, to, preview, quote, isCurrent, onSent, onRefused, children, ...payer } = props
  const t = useT()
  const format = useFormat()
  const { subscriptionId, pathTo } = useProject()
  const { question, settle } = useChallenge()
  const [isProcessing, setProcessing] = useState(false)
  const billing = pathTo('billing')

  function input(billingInfo?: BillingInfo) {
    onSent()
    return {
      subscriptionId,
      planId: to.id,
      ...(billingInfo && { billingInfo }),
      ...(quote !== undefined && { quote }),
    }
  }

  async function finish({ clientSecret, processing }: CallOutput<'changeSubscriptionPlan'>) {
    const settled = await settle(subscriptionId, clientSecret)
    setProcessing((processing || settled?.processing) === true)
  }

  const form = {
    call: 'changeSubscriptionPlan',
    onDone: finish,
    onRefused,
    submit: preview && preview.due > 0 ? 'billing.change.pay' : 'billing.change.submit',
    done: isProcessing ? 'billing.change.processing' : 'billing.change.done',
    words: {
      plan: t(to.titleKey),
      ...(preview && { amount: format.money(preview.due, preview.currency) }),
    },
    failed: 'billing.change.failed',
    explain,
    cancel: pathTo('changePlan'),
  } as const

  return (
    <>
      {from.free ? (
        <BillingForm
          {...form}
          then={billing}
          plan={to}
          input={input}
          disabled={!isCurrent}
          {...payer}
        >
          {children}
        </BillingForm>
      ) : (
        <CallForm {...form} then={billing} input={() => input()}>
          {children}
          <SummaryBox>{payer.summary}</SummaryBox>
        </CallForm>
      )}
      {question}
    </>
  )
}

function explain(error: CallError) {
  return <ChangeProblem error={error} />
}
