import type { Plan } from '#config/plans.ts'
import type { CallOutput } from '#contract/calls.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { useNavigate } from 'react-router'
import { FormPage } from '../../components/form-page.tsx'
import { useIsHere } from '../../components/use-is-here.ts'
import { useT } from '../../i18n.ts'
import { BillingForm } from '../billing/billing-form.tsx'
import { useChallenge } from '../billing/use-challenge.tsx'

/** Billing details and a card for a new project. */
export function Checkout({ plan }: { plan: Plan }) {
  const t = useT()
  const navigate = useNavigate()
  const isHere = useIsHere()
  const { question, settle } = useChallenge()

  async function finish({ subscriptionId, clientSecret }: CallOutput<'createSubscription'>) {
    await settle(subscriptionId, clientSecret)
    if (isHere()) await navigate(projectPath('settings', subscriptionId), { replace: true })
  }

  return (
    <FormPage title="createPlan.checkout">
      <BillingForm
        call="createSubscription"
        plan={plan}
        input={(billingInfo) => ({ planId: plan.id, billingInfo })}
        onDone={finish}
        submit="createPlan.submit"
        failed="createPlan.failed"
        cancel={paths.createPlan}
      >
        <p className="mb-1 flex items-baseline justify-between gap-4 border-b border-line pb-4">
          <span className="text-lead font-semibold">{t(plan.titleKey)}</span>
          <span className="text-soft tabular-nums">{t('plans.price', { price: `${plan.currency}${plan.price}` })}</span>
        </p>
      </BillingForm>
      {question}
    </FormPage>
  )
}
