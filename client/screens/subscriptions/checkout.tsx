import type { Plan } from '#config/plans.ts'
import type { CallOutput } from '#contract/calls.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { useCall } from '../../api/queries.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import type { News } from '../../layouts/use-news.ts'
import { useChallenge } from '../../providers/payments/payments.tsx'
import { BillingForm, usePlace } from '../billing/billing-form.tsx'
import { Summary } from '../billing/change-summary.tsx'

/** Billing details and a card for a new project. The button names the amount when it is known. */
export function Checkout({ plan }: { plan: Plan }) {
  const t = useT()
  const format = useFormat()
  const goOn = useGoOn()
  const { question, settle } = useChallenge()
  const { place, isSettled, payer } = usePlace()
  const asked = { planId: plan.id, address: place }
  const { data, error, refetch, isPlaceholderData } = useCall('previewSubscription', asked, {
    keepPrevious: true,
  })
  const preview = data?.preview

  async function finish({ subscriptionId, ...payment }: CallOutput<'createSubscription'>) {
    const isProcessing = await settle(subscriptionId, payment)
    // The project can't be opened before the bank has decided.
    if (isProcessing) goOn(paths.dashboard, { news: { processing: true } satisfies News })
    else goOn(projectPath('settings', subscriptionId))
  }

  return (
    <FormPage title="createPlan.checkout" wide>
      <BillingForm
        call="createSubscription"
        plan={plan}
        input={(billingInfo) => ({ planId: plan.id, billingInfo })}
        onDone={finish}
        submit={preview ? 'createPlan.pay' : 'createPlan.submit'}
        words={preview && { amount: format.money(preview.due, preview.currency) }}
        failed="createPlan.failed"
        cancel={paths.createPlan}
        disabled={!preview || !isSettled || isPlaceholderData}
        summary={<Summary to={plan} {...{ preview, error }} retry={refetch} />}
        {...payer}
      >
        <p className="flex items-baseline justify-between gap-4 lg:hidden">
          <span className="text-lead font-semibold">{t(plan.titleKey)}</span>
          {preview && (
            <span className="text-soft tabular-nums">
              {t('plans.price', { price: format.money(preview.weekly, preview.currency) })}
            </span>
          )}
        </p>
      </BillingForm>
      {question}
    </FormPage>
  )
}
