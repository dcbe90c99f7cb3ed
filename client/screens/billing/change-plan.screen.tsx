import type { Plan } from '#config/plans.ts'
import { findPlan } from '#contract/access.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { BillingInfo, Subscription } from '#contract/entities.ts'
import { numbersOf } from '#contract/entitlements.ts'
import { choiceOf } from '#contract/price-choice.ts'
import { priceWords } from '#contract/price-words.ts'
import { nearestPrice } from '#contract/prices.ts'
import type { At } from '#contract/plan.ts'
import { changeTiming } from '#contract/timing.ts'
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
import { wishFor, withChoice } from '../../components/price-choice.ts'
import { useFormat } from '../../platform/format.ts'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useSeats } from '../members/seats.tsx'
import { toast } from '../../platform/toasts.ts'
import { settle } from '../../providers/payments/payments.ts'
import { BillingForm } from './billing-form.tsx'
import { defaultOf } from './card-words.ts'
import { AlreadyOn, ChangeProblem, mayPass } from './change-problem.tsx'
import { Summary, SummarySkeleton } from './change-summary.tsx'
import { useCodeProblem } from './promotion-code.tsx'
import { PlannedCard, Unfinished } from './planned.tsx'
import { hasOtherInterval, namesOf, type Offer } from './plans.ts'
import { ReceiptOfProject } from './receipt-to.tsx'
import { usePurchase } from './use-purchase.tsx'
import { When } from './when.tsx'

/** Step 1 chooses a plan, step 2 makes the change. The URL has the step, so that "back" works. */
export function ChangePlan() {
  const [query] = useSearchParams()
  const planId = query.get('plan')
  return <Step key={planId && `${planId} ${query.get('interval')}`} />
}

function Step() {
  const [query] = useSearchParams()
  const { subscription, plan: present } = useProject()
  // When step 2 reports success, the project is already on the new plan, so keep the old one.
  const [from] = useState({ ...subscription, plan: present })
  const plan = findPlan(query.get('plan') ?? '')
  if (!plan || plan.legacy) return <ChoosePlan />
  const { interval, currency } = choiceOf(query, navigator.languages, from)
  const to = { plan, price: plan.free ? null : nearestPrice(plan, interval, currency) }
  if (plan.id === from.plan.id && !hasOtherInterval(from, to)) return <ChoosePlan />
  return <ConfirmChange {...{ from, to }} />
}

function ChoosePlan() {
  const t = useT()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { subscription, plan, pathTo } = useProject()
  const choose = ({ id }: Plan) => void navigate(withChoice(pathTo('changePlan'), query, id))
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
      <PlannedCard />
      <PlanGrid current={subscription} seats={useSeats().seats} onChoose={choose} />
    </>
  )
}

type Change = { from: Offer & Subscription; to: Offer }

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
          {change.from.plan.free && <ReceiptOfProject />}
        </>
      }
      wide={change.from.plan.free}
    >
      <PreviewedChange {...change} />
    </FormPage>
  )
}

/** The button names the amount. A change from a free plan also asks for an address and a card. */
function PreviewedChange({ from, to }: Change) {
  const t = useT()
  const format = useFormat()
  const [query] = useSearchParams()
  const { subscriptionId, pathTo } = useProject()
  const [isProcessing, setProcessing] = useState(false)
  // Once the change is sent, there is nothing left to preview.
  const [isSent, setSent] = useState(false)
  // A quote is for one attempt, so the next one waits for new amounts.
  const [isOutdated, setOutdated] = useState(false)
  const { plan, price } = to
  const isChoice = changeTiming(from, price) === 'choice'
  const [at, setAt] = useState<At>('periodEnd')
  const wish = {
    subscriptionId,
    planId: plan.id,
    ...(price && wishFor(price)),
    ...(isChoice && { at }),
  }
  const purchase = usePurchase(plan)
  const isPurchase = from.plan.free && price !== null
  const bought = isPurchase && purchase.asked
  const asked = { ...wish, ...bought, ...(from.plan.free && { address: purchase.place }) }
  const { data, error, refetch, isPlaceholderData } = useCall('previewPlanChange', asked, {
    enabled: !isSent,
    keepPrevious: true,
  })
  const problem = useCodeProblem(error, purchase.promotion)
  const staysPaid = !from.plan.free && !plan.free
  const cards = useCall('getPaymentMethods', { subscriptionId }, { enabled: staysPaid })
  const [isBegun, setBegun] = useState(false)
  if (data && !isBegun) setBegun(true)

  // A form that is already on screen stays, even if a later preview fails.
  if (problem && !isBegun)
    return (
      <div className="grid gap-5">
        <ChangeProblem error={problem} retry={mayPass(problem) ? refetch : undefined} />
        {problem.reason !== 'planChangeNotPaid' && (
          <ButtonLink to={pathTo('changePlan')} size="large" className="justify-self-end">
            {t('billing.change.other')}
          </ButtonLink>
        )}
      </div>
    )
  if (!isBegun || cards.isLoading) return <SummarySkeleton />

  const { preview, quote } = data ?? {}
  const starts = preview?.starts ?? 'now'
  const date = starts === 'now' ? '' : format.billingDate(starts)
  function input(billingInfo?: BillingInfo) {
    setSent(true)
    const begun = isPurchase && purchase.trialIn(preview)
    return { ...wish, ...bought, ...begun, billingInfo, quote }
  }

  async function finish(payment: CallOutput<'changeSubscriptionPlan'>) {
    const isWaiting = await settle(subscriptionId, payment)
    setProcessing(isWaiting)
    if (!isWaiting && !date) toast(t('billing.change.nowOn', { plan: namesOf(from, to, t).to }))
  }

  function refused(refusal: CallError) {
    setSent(false)
    // The same request once more brings the answer of one that may have arrived.
    if (purchase.hear(refusal) || mayHaveArrived.has(refusal.reason)) return
    setOutdated(true)
    void refetch().finally(() => setOutdated(false))
  }

  const form = {
    call: 'changeSubscriptionPlan',
    onDone: finish,
    onRefused: refused,
    submit:
      (date && 'billing.change.submitOn') ||
      (preview && preview.due > 0 ? 'billing.change.pay' : 'billing.change.submit'),
    done:
      (date && 'billing.change.doneLater') ||
      (isProcessing ? 'billing.change.processing' : 'billing.change.done'),
    words: {
      date,
      plan: namesOf(from, to, t).to,
      ...(preview && { amount: format.money(preview.due, preview.currency) }),
    },
    failed: 'billing.change.failed',
    explain,
    cancel: withChoice(pathTo('changePlan'), query),
  } as const
  const card = defaultOf(cards.data)?.card
  const fixesCurrency = from.currency === null
  const summary = (
    <Summary {...{ preview, from, to, card, fixesCurrency }} error={problem} retry={refetch} />
  )
  const difference = (
    <div className="grid gap-4 rounded-notice bg-sunken px-4 py-3 sm:grid-cols-2">
      <Features title="billing.change.before" offer={from} without={to} />
      <Features title="billing.change.after" offer={to} without={from} />
    </div>
  )
  return from.plan.free && price ? (
    <BillingForm
      {...form}
      then={pathTo('billing')}
      {...{ plan, price, purchase, preview, isSent, fixesCurrency, input, summary }}
      isPreviewed={!!data && !isPlaceholderData}
      disabled={isOutdated}
    >
      {difference}
    </BillingForm>
  ) : (
    <CallForm
      {...form}
      then={pathTo('billing')}
      input={() => input()}
      disabled={isPlaceholderData || isOutdated}
    >
      {difference}
      {isChoice && (
        <When
          legend="billing.change.when"
          date={from.renews === null ? '' : format.billingDate(from.renews)}
          chosen={at}
          disabled={isSent}
          onChoose={setAt}
        />
      )}
      {summary}
    </CallForm>
  )
}

function explain(error: CallError) {
  return <ChangeProblem error={error} />
}

type FeaturesProps = { title: MessageKey; offer: Offer; without: Offer }

/** The features, and the interval, that the offer has and `without` doesn't. */
function Features({ title, offer, without }: FeaturesProps) {
  const t = useT()
  const language = useLanguage()
  const featuresOf = ({ plan }: Offer) =>
    plan.descriptionKeys.map((key) => t(key, numbersOf(plan, language)))
  const others = new Set(featuresOf(without))
  const own = featuresOf(offer).filter((text) => !others.has(text))
  if (hasOtherInterval(offer, without)) own.push(priceWords(offer.price!, t))
  if (own.length === 0) return null
  return (
    <div>
      <h2 className="text-small font-strong">
        {t(title, { plan: namesOf(offer, without, t).from })}
      </h2>
      <ul className="mt-1 grid gap-0.5 text-small text-soft">
        {own.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
