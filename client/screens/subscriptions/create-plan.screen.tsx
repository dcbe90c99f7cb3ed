import type { Plan } from '#config/plans.ts'
import { settingsFields, type SettingsField } from '#config/settings.ts'
import { findPlan } from '#contract/access.ts'
import type { CallOutput } from '#contract/calls.ts'
import { choiceOf } from '#contract/price-choice.ts'
import { priceWords } from '#contract/price-words.ts'
import type { MessageKey } from '#locales/keys.ts'
import { nearestPrice } from '#contract/prices.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { projectName } from '#contract/project-name.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  Navigate,
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
} from 'react-router'
import { useCall } from '../../api/queries.ts'
import { useAction } from '../../api/call.ts'
import { useSession } from '../../api/session.ts'
import { TextField, textOf } from '../../components/fields.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PlanGrid } from '../../components/plan-grid.tsx'
import { wishFor, withChoice } from '../../components/price-choice.ts'
import { LiveProblem, LiveRegion, Message } from '../../components/message.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { sentences, useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import type { NewsOnTheWay } from '../../layouts/news.tsx'
import { projectTitle } from '../../layouts/use-project.ts'
import { settle } from '../../providers/payments/payments.ts'
import { BillingForm } from '../billing/billing-form.tsx'
import { Summary } from '../billing/change-summary.tsx'
import { freePlan } from '../billing/plans.ts'
import { useCodeProblem } from '../billing/promotion-code.tsx'
import { ReceiptTo } from '../billing/receipt-to.tsx'
import { useEarlierPayer, usePurchase } from '../billing/use-purchase.tsx'
import {
  acknowledge,
  noteBegun,
  takeBegun,
  takeNote,
  useEarlierPurchase,
} from '../billing/use-earlier-purchase.ts'

/** Step 1 chooses a plan, step 2 pays for it. The URL has the step, so that "back" works. */
export function CreatePlan() {
  const [query] = useSearchParams()
  const { state } = useLocation()
  // The script of /pricing leaves a note of the choice that led here.
  const [isFromPrices] = useState(
    () => takeNote('chosen-plan') === location.pathname + location.search,
  )
  const isNewVisit = useNavigationType() !== NavigationType.Pop
  const plan = findPlan(query.get('plan') ?? '')
  const isSold = plan !== undefined && !plan.legacy
  if (isSold && !plan.free) return <Checkout plan={plan} />
  // A free plan has no second step. An address, a reload and "back" alone create nothing.
  if (query.has('plan'))
    return (
      <Navigate
        to={withChoice(paths.createPlan, query)}
        state={{ isChosen: isSold && (isFromPrices || state?.isAsked) }}
        replace
      />
    )
  return <ChoosePlan isFreeChosen={isNewVisit && state?.isChosen === true} />
}

/** `isFreeChosen`: a visitor chose the free plan before they came here. */
function ChoosePlan({ isFreeChosen }: { isFreeChosen: boolean }) {
  const t = useT()
  const navigate = useNavigate()
  const goOn = useGoOn()
  const create = useAction('createSubscription')
  const [query] = useSearchParams()
  const former = useFormer(query)
  const [chosen, setChosen] = useState(isFreeChosen ? freePlan?.id : undefined)

  function choose({ id, free }: Plan) {
    if (!free) return void navigate(withChoice(paths.createPlan, query, id))
    setChosen(id)
    void createFree(id)
  }

  async function createFree(id: string) {
    const created = await create.run({ planId: id, name: former.name })
    const state = { created: true, again: former.id }
    if (created) goOn(projectPath('settings', created.subscriptionId), state)
  }

  const carryOut = useEffectEvent(() => freePlan && createFree(freePlan.id))
  useEffect(() => {
    if (isFreeChosen) void carryOut()
  }, [isFreeChosen])

  return (
    <>
      <PageTitle title={t('createPlan.title')} intro={former.says ?? t('createPlan.intro')} />
      <LiveProblem error={create.error} failed="createPlan.failed" />
      <PlanGrid busy={create.busy ? chosen : undefined} onChoose={choose} />
    </>
  )
}

const onItsWay: NewsOnTheWay = { tone: 'neutral', says: 'createPlan.processing' }
const earlierPaid: NewsOnTheWay = { tone: 'good', says: 'createPlan.earlier' }

/** Asks for an address and a card for a new project. The button names the sum once it is known. */
function Checkout({ plan }: { plan: Plan }) {
  const t = useT()
  const format = useFormat()
  const goOn = useGoOn()
  const [query] = useSearchParams()
  const former = useFormer(query)
  const { interval, currency } = choiceOf(query, navigator.languages)
  const price = nearestPrice(plan, interval, currency)
  const wish = { planId: plan.id, ...wishFor(price) }
  const purchase = usePurchase(plan)
  const payers = useEarlierPayer(purchase.onAddress)
  const bought = { ...wish, ...purchase.asked }
  const asked = { ...bought, address: purchase.place }
  const { data, error, refetch, isPlaceholderData } = useCall('previewSubscription', asked, {
    keepPrevious: true,
  })
  const problem = useCodeProblem(error, purchase.promotion)
  const preview = data?.preview
  const amount = preview && format.money(preview.due, preview.currency)

  const earlier = useEarlierPurchase()

  async function finish({ subscriptionId, earlier, ...payment }: CallOutput<'createSubscription'>) {
    const isProcessing = await settle(subscriptionId, payment)
    // A project can't be opened before the bank has decided about the payment.
    takeBegun()
    if (isProcessing) return goOn(paths.dashboard, { news: onItsWay })
    acknowledge(subscriptionId)
    const state = earlier ? { news: earlierPaid } : { paid: amount }
    goOn(projectPath('settings', subscriptionId), { created: true, again: former.id, ...state })
  }

  const goToEarlier = useEffectEvent((subscriptionId: string, processing: boolean) =>
    finish({ subscriptionId, earlier: true, ...(processing && { processing }) }),
  )
  useEffect(() => {
    if (earlier.purchase?.state === 'paid' || earlier.purchase?.state === 'processing')
      void goToEarlier(earlier.purchase.subscriptionId, earlier.purchase.state === 'processing')
  }, [earlier.purchase])

  const mayBuy = earlier.latest !== undefined && !isUnderWay.has(earlier.state)
  return (
    <FormPage
      title="createPlan.checkout"
      above={
        <>
          <Earlier {...earlier} />
          {former.says && <Message tone="neutral">{former.says}</Message>}
          <ReceiptTo />
        </>
      }
      wide
    >
      <BillingForm
        call="createSubscription"
        {...{ plan, price, purchase, preview }}
        isPreviewed={!!preview && !isPlaceholderData}
        fixesCurrency
        input={(billingInfo, values) => {
          noteBegun(earlier.latest ?? '')
          const name = textOf(values, 'name').trim() || undefined
          return {
            ...bought,
            ...purchase.trialIn(preview),
            name,
            billingInfo,
            after: earlier.latest,
          }
        }}
        onDone={finish}
        onRefused={purchase.hear}
        // Another tab or device gave up what waited for the bank's question here.
        reasons={{ subscriptionNotFound: 'createPlan.givenUp' }}
        submit={preview && preview.due > 0 ? 'createPlan.pay' : 'createPlan.submit'}
        words={amount ? { amount } : undefined}
        failed="createPlan.failed"
        cancel={withChoice(paths.createPlan, query)}
        disabled={!mayBuy}
        summary={
          <Summary
            to={{ plan, price }}
            {...{ preview, error: problem }}
            retry={refetch}
            fixesCurrency
          />
        }
        first={
          <>
            {nameLabel && !former.isLoading && <NameField label={nameLabel} name={former.name} />}
            {payers.choice}
          </>
        }
        known={payers.known}
      >
        <p className="sticky top-14 z-10 -mx-inset -mt-3 flex items-baseline justify-between gap-4 border-b border-line bg-surface px-inset py-3 lg:hidden">
          <span className="text-lead font-semibold">{t(plan.titleKey)}</span>
          {preview?.recurring && (
            <span className="text-soft tabular-nums">{priceWords(preview.recurring, t)}</span>
          )}
        </p>
      </BillingForm>
    </FormPage>
  )
}

/** The canceled project that the new one replaces, if the URL names one. */
function useFormer(query: URLSearchParams) {
  const t = useT()
  const id = query.get('again') ?? undefined
  const input = { subscriptionId: id ?? '' }
  const { data, isLoading } = useCall('getSubscription', input, { enabled: id !== undefined })
  const project = data?.subscription
  const name = project && projectName(project.settings)
  const says =
    project &&
    sentences(
      t,
      t('createPlan.again', { project: projectTitle(project, t) }),
      project.people.length > 1 && t('createPlan.againPeople'),
    )
  return { id, name: name || undefined, says, isLoading }
}

const nameLabel = (settingsFields as Record<string, SettingsField>)['name']?.label

/** Suggests a name for the project, which receipts and invoices then have from the first on. */
function NameField({ label, name }: { label: MessageKey; name: string | undefined }) {
  const t = useT()
  const { user } = useSession()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) field.current!.select()
  }, [])
  return (
    <TextField
      ref={field}
      name="name"
      label={label}
      defaultValue={name ?? t('createPlan.suggestedName', { name: user.displayName })}
      autoComplete="off"
      maxLength={100}
    />
  )
}

type EarlierState = ReturnType<typeof useEarlierPurchase>['state']

/** A new purchase waits for one in these states. */
const isUnderWay: ReadonlySet<EarlierState> = new Set(['working', 'paid', 'processing'])

/** Says what became of an earlier purchase that did not lead to its project. */
function Earlier({ state, error, retry }: ReturnType<typeof useEarlierPurchase>) {
  const t = useT()
  if (error) return <LiveProblem error={error} retry={retry} />
  return (
    <LiveRegion>
      {(state === 'working' || state === 'waiting' || state === 'undone') && (
        <Message tone="neutral">{t(`createPlan.${state}`)}</Message>
      )}
    </LiveRegion>
  )
}
