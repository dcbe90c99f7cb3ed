import type { Plan } from '#config/plans.ts'
import { findPlan } from '#contract/access.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { BillingInfo } from '#contract/entities.ts'
import { numbersOf } from '#contract/entitlements.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/call.ts'
import { useCall } from '../../api/queries.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PlanGrid } from '../../components/plan-grid.tsx'
import { useFormat } from '../../platform/format.ts'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { settle } from '../../providers/payments/payments.ts'
import { BillingForm, usePlace } from './billing-form.tsx'
import { defaultOf } from './card-words.ts'
import { AlreadyOn, ChangeProblem, mayPass } from './change-problem.tsx'
import { Summary, SummarySkeleton } from './change-summary.tsx'
import { ReceiptOfProject } from './receipt-to.tsx'
import { Unfinished } from './unfinished.tsx'

/** Step 1 chooses a plan, step 2 makes the change. The URL has the step, so that "back" works. */
export function ChangePlan() {
  const [query] = useSearchParams()
  const { plan } = useProject()
  // When step 2 reports success, the project is already on the new plan, so keep the old one.
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
  const [query] = useSearchParams()
  const { subscription, plan, pathTo } = useProject()
  const choose = ({ id }: Plan) => void navigate(`${pathTo('changePlan')}?plan=${id}`)
  return (
    <>
      <PageTitle
        title={t('billing.change.title')}
        intro={t(plan.legacy ? 'billing.change.legacy' : 'billing.change.intro', {
          plan: t(plan.titleKey),
        })}
      />
      {query.get('plan') === plan.id && <AlreadyOn plan={plan} />}
      <Unfinished />
      <PlanGrid current={subscription.plan_id} own={subscription.price} onChoose={choose} />
    </>
  )
}

type Change = { from: Plan; to: Plan }

function ConfirmChange(change: Change) {
  // This form itself says what becomes of its own change: the notice is for one that began earlier.
  const { changing_to: earlier } = useProject().subscription
  const [wasBegun] = useState(earlier !== null)
  return (
    <FormPage
      title="billing.change.confirm"
      above={
        <>
          {wasBegun && <Unfinished />}
          {change.from.free && <ReceiptOfProject />}
        </>
      }
      wide={change.from.free}
    >
      <PreviewedChange {...change} />
    </FormPage>
  )
}

/** The button names the amount. A change from a free plan also asks for an address and a card. */
function PreviewedChange({ from, to }: Change) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, pathTo } = useProject()
  const { place, isSettled, payer } = usePlace()
  const [isProcessing, setProcessing] = useState(false)
  // Once the change is sent, there is nothing left to preview.
  const [isSent, setSent] = useState(false)
  // A quote is for one attempt, so the next one waits for new amounts.
  const [isOutdated, setOutdated] = useState(false)
  const asked = { subscriptionId, planId: to.id, ...(from.free && { address: place }) }
  const { data, error, refetch, isPlaceholderData } = useCall('previewPlanChange', asked, {
    enabled: !isSent,
    keepPrevious: true,
  })
  const staysPaid = !from.free && !to.free
  const cards = useCall('getPaymentMethods', { subscriptionId }, { enabled: staysPaid })
  const [isBegun, setBegun] = useState(false)
  if (data && !isBegun) setBegun(true)

  // A form that is already on screen stays, even if a later preview fails.
  if (error && !isBegun) return <Impossible error={error} retry={refetch} />
  if (!isBegun || cards.isLoading) return <SummarySkeleton />

  const { preview, quote } = data ?? {}
  function input(billingInfo?: BillingInfo) {
    setSent(true)
    return { subscriptionId, planId: to.id, billingInfo, quote }
  }

  async function finish(payment: CallOutput<'changeSubscriptionPlan'>) {
    setProcessing(await settle(subscriptionId, payment))
  }

  function refused({ reason }: CallError) {
    setSent(false)
    // The same request once more brings the answer of one that may have arrived.
    if (mayHaveArrived.has(reason)) return
    setOutdated(true)
    void refetch().finally(() => setOutdated(false))
  }

  const form = {
    call: 'changeSubscriptionPlan',
    onDone: finish,
    onRefused: refused,
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
  const card = defaultOf(cards.data)?.card
  const summary = <Summary {...{ preview, error, from, to, card }} retry={refetch} />
  const difference = (
    <div className="grid gap-4 rounded-notice bg-sunken px-4 py-3 sm:grid-cols-2">
      <Features title="billing.change.before" plan={from} without={to} />
      <Features title="billing.change.after" plan={to} without={from} />
    </div>
  )
  return from.free ? (
    <BillingForm
      {...form}
      then={pathTo('billing')}
      plan={to}
      input={input}
      disabled={!data || !isSettled || isPlaceholderData || isOutdated}
      summary={summary}
      {...payer}
    >
      {difference}
    </BillingForm>
  ) : (
    <CallForm {...form} then={pathTo('billing')} input={() => input()} disabled={isOutdated}>
      {difference}
      {summary}
    </CallForm>
  )
}

function explain(error: CallError) {
  return <ChangeProblem error={error} />
}

function Impossible({ error, retry }: { error: CallError; retry: () => unknown }) {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <div className="grid gap-5">
      <ChangeProblem error={error} retry={mayPass(error) ? retry : undefined} />
      {error.reason !== 'planChangeNotPaid' && (
        <ButtonLink to={pathTo('changePlan')} size="large" className="justify-self-end">
          {t('billing.change.other')}
        </ButtonLink>
      )}
    </div>
  )
}

/** The features of `plan` that `without` doesn't have. */
function Features({ title, plan, without }: { title: MessageKey; plan: Plan; without: Plan }) {
  const t = useT()
  const language = useLanguage()
  const featuresOf = (plan: Plan) =>
    plan.descriptionKeys.map((key) => t(key, numbersOf(plan, language)))
  const others = new Set(featuresOf(without))
  const own = featuresOf(plan).filter((text) => !others.has(text))
  if (own.length === 0) return null
  return (
    <div>
      <h2 className="text-small font-strong">{t(title, { plan: t(plan.titleKey) })}</h2>
      <ul className="mt-1 grid gap-0.5 text-small text-soft">
        {own.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
