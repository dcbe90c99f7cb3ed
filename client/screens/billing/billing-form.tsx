import type { Plan } from '#config/plans.ts'
import type { CallInput } from '#contract/calls.ts'
import type { BillingInfo, PlanChangePreview, ProjectBilling } from '#contract/entities.ts'
import { currenciesOf, nearestPrice, pricesOf, type Price } from '#contract/prices.ts'
import { currencyOfCountry } from '#contract/currency-of-country.ts'
import { priceWords } from '#contract/price-words.ts'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/call.ts'
import { CallForm, type CallFormProps } from '../../components/call-form.tsx'
import { FormDraft } from '../../components/form-draft.tsx'
import { FieldBones, Skeleton } from '../../components/skeleton.tsx'
import type { Collect } from '../../providers/payments/payment-screens.ts'
import { usePaymentScreens } from '../../providers/payments/payments.ts'
import { PromotionCode } from './promotion-code.tsx'
import { AddTaxId, taxIdOf, untypedTaxId } from './tax-id-fields.tsx'
import type { Purchase } from './use-purchase.tsx'
import { Button } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { useQuery } from '../../components/use-query.ts'
import { focusMain } from '../../platform/focus-main.ts'
import { useT } from '../../platform/i18n.ts'

type Buying = 'createSubscription' | 'changeSubscriptionPlan'

type BillingFormProps<Name extends Buying> = Omit<CallFormProps<Name>, 'input' | 'check'> & {
  plan: Plan
  price: Price
  purchase: Purchase
  preview: PlanChangePreview | undefined
  /** The sums on screen are those of what the buyer has entered. */
  isPreviewed: boolean
  /** Once it is sent, the code can't change. */
  isSent?: boolean
  /** The payment is the project's first, which fixes the currency of the others. */
  fixesCurrency: boolean
  input: (billingInfo: BillingInfo, values: FormData) => CallInput<Name>
  /** What the plan costs, shown beside the fields. */
  summary: ReactNode
  /** Fields before the payer's. They come with them, so that nothing typed is lost. */
  first?: ReactNode
  /** The payer of another project, whom the fields then show. */
  known?: ProjectBilling | undefined
}

const prefix = 'billingInfo.'

/** A form for the payer's address and card, below the `children`. A refusal keeps the text. */
export function BillingForm<Name extends Buying>(props: BillingFormProps<Name>) {
  const { plan, price, purchase, preview, isPreviewed, isSent, fixesCurrency, ...more } = props
  const { input, summary, first, known, children, ...form } = more
  const { promotion, country, isCountryChosen } = purchase
  const screens = usePaymentScreens()
  const [collect, setCollect] = useState<Collect>()
  const collected = useRef<BillingInfo>(undefined)
  const becomeReady = useCallback((next: Collect) => setCollect(() => next), [])
  const forget = () => (collected.current = undefined)
  const disabled = form.disabled || !preview || !collect
  const isChanging = !isPreviewed || !purchase.isSettled
  const { currency, due, lines, recurring } = preview ?? {}
  const terms = JSON.stringify([currency, due, lines, recurring])
  /** What was pressed while the sums change, and the sums that it was pressed for. */
  const [pressed, setPressed] = useState<{ form: HTMLFormElement; terms: string }>()

  useEffect(() => {
    if (pressed && (disabled || !isChanging)) pressed.form.requestSubmit()
  }, [pressed, disabled, isChanging])

  /** A press waits for the sums, and goes on if they are those that it was made for. */
  function wait(form: HTMLFormElement) {
    setPressed(disabled || !isChanging ? undefined : { form, terms })
    return disabled || isChanging || (pressed !== undefined && pressed.terms !== terms)
  }

  async function collectAll(values: FormData) {
    // The card goes to the provider once, so that a retry after a lost answer is the same purchase.
    collected.current ??= await collect!(values)
    const billingInfo = { ...collected.current, tax_id: taxIdOf(values, prefix) ?? undefined }
    return input(billingInfo, values)
  }

  function refused(error: CallError) {
    if (!mayHaveArrived.has(error.reason)) forget()
    form.onRefused?.(error)
  }

  const sums = (
    <>
      {summary}
      <PromotionCode {...promotion} isPreviewed={isPreviewed} disabled={isSent} />
    </>
  )
  if (!screens)
    return (
      <Beside summary={sums}>
        {children}
        <Skeleton className="grid gap-4">
          <FieldBones count={7} />
        </Skeleton>
      </Beside>
    )
  return (
    <CallForm
      {...form}
      input={collectAll}
      check={(values) => ({ ...screens.check?.(values), ...untypedTaxId(values, prefix) })}
      onRefused={refused}
      holdBack={wait}
      disabled={disabled}
      busy={pressed !== undefined}
    >
      <FormDraft ofPayer />
      <Beside summary={sums} onInput={() => setPressed(undefined)}>
        {children}
        {first}
        <screens.BillingFields
          price={price}
          isCardLater={purchase.isCardLater(preview)}
          known={known}
          onReady={becomeReady}
          onEdit={() => {
            forget()
            setPressed(undefined)
          }}
          onAddress={purchase.onAddress}
        />
        <AddTaxId
          key={JSON.stringify(known?.tax_id)}
          prefix={prefix}
          known={known?.tax_id ?? null}
          country={country}
        />
      </Beside>
      {fixesCurrency && (
        <PayIn {...{ plan, price }} country={isCountryChosen ? country : undefined} />
      )}
    </CallForm>
  )
}

type BesideProps = { summary: ReactNode; onInput?: () => void; children: ReactNode }

/** Shows the summary beside the fields, or between the fields and the button on narrow screens. */
function Beside({ summary, onInput, children }: BesideProps) {
  return (
    <div onInput={onInput} className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid gap-4 max-lg:**:scroll-mt-14">{children}</div>
      <div className="grid gap-4 lg:sticky lg:top-20">{summary}</div>
    </div>
  )
}

type PayInProps = { plan: Plan; price: Price; country: string | undefined }

/** Asks once whether to pay in the currency of the payer's country. The answer is in the URL. */
function PayIn({ plan, price, country }: PayInProps) {
  const t = useT()
  const [query, change] = useQuery()
  const own = country && currencyOfCountry(country, pricesOf(plan).flatMap(currenciesOf))
  const isAsked = own && own !== price.currency && !query.has('currency')

  function answer(currency: string) {
    change((query) => query.set('currency', currency))
    // The buttons disappear.
    focusMain()
  }

  return (
    <LiveRegion>
      {isAsked && (
        <Message
          tone="neutral"
          title={t('billing.payIn.title', { currency: own.toUpperCase() })}
          action={
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => answer(own)}>
                {t('billing.payIn.yes', { currency: own.toUpperCase() })}
              </Button>
              <Button onClick={() => answer(price.currency)}>
                {t('billing.payIn.no', { currency: price.currency.toUpperCase() })}
              </Button>
            </div>
          }
        >
          {t('billing.payIn.text', {
            plan: t(plan.titleKey),
            price: priceWords(nearestPrice(plan, price, own), t),
          })}
        </Message>
      )}
    </LiveRegion>
  )
}
