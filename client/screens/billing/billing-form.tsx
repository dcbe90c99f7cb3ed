import { languages } from '#config/languages.ts'
import type { CallInput } from '#contract/calls.ts'
import type { BillingInfo, PayerPlace, ProjectBilling } from '#contract/entities.ts'
import type { Price } from '#contract/prices.ts'
import { useCallback, useRef, useState, type ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/call.ts'
import { CallForm, type CallFormProps } from '../../components/call-form.tsx'
import { FormDraft } from '../../components/form-draft.tsx'
import { FieldBones, Skeleton } from '../../components/skeleton.tsx'
import { useSettled } from '../../components/use-settled.ts'
import { useLanguage } from '../../platform/i18n.ts'
import type { Collect } from '../../providers/payments/payment-screens.ts'
import { usePaymentScreens } from '../../providers/payments/payments.ts'
import { AddTaxId, taxIdOf, untypedTaxId } from './tax-id-fields.tsx'

type Buying = 'createSubscription' | 'changeSubscriptionPlan'

type BillingFormProps<Name extends Buying> = Omit<CallFormProps<Name>, 'input' | 'check'> & {
  price: Price
  isCardLater: boolean
  input: (billingInfo: BillingInfo, values: FormData) => CallInput<Name>
  /** What the plan costs, shown beside the fields. */
  summary: ReactNode
  /** Fields before the payer's. They come with them, so that nothing typed is lost. */
  first?: ReactNode
  /** The payer of another project, whom the fields then show. */
  known?: ProjectBilling | undefined
  /** Asked before the button. */
  question?: ReactNode
  /** The payer's country as it is in the field. */
  country: string
  onAddress: (address: Required<PayerPlace>) => void
}

const prefix = 'billingInfo.'

/** A form for the payer's address and card, below the `children`. A refusal keeps the text. */
export function BillingForm<Name extends Buying>(props: BillingFormProps<Name>) {
  const {
    price,
    isCardLater,
    input,
    summary,
    first,
    known,
    question,
    country,
    onAddress,
    children,
    ...form
  } = props
  const screens = usePaymentScreens()
  const [collect, setCollect] = useState<Collect>()
  const collected = useRef<BillingInfo>(undefined)
  const becomeReady = useCallback((next: Collect) => setCollect(() => next), [])
  const forget = () => (collected.current = undefined)

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

  if (!screens)
    return (
      <Beside summary={summary}>
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
      disabled={form.disabled || !collect}
    >
      <FormDraft ofPayer />
      <Beside summary={summary}>
        {children}
        {first}
        <screens.BillingFields
          price={price}
          isCardLater={isCardLater}
          known={known}
          onReady={becomeReady}
          onEdit={forget}
          onAddress={onAddress}
        />
        <AddTaxId
          key={JSON.stringify(known?.tax_id)}
          prefix={prefix}
          known={known?.tax_id ?? null}
          country={country}
        />
      </Beside>
      {question}
    </CallForm>
  )
}

/** Shows the summary beside the fields, or between the fields and the button on narrow screens. */
function Beside({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid gap-4 max-lg:**:scroll-mt-14">{children}</div>
      <div className="grid gap-4 lg:sticky lg:top-20">{summary}</div>
    </div>
  )
}

/**
 * The payer's place once they stop typing. `payer` has the props for `BillingForm`.
 * `isCountryChosen`: the country is not the one that the field began with.
 */
export function usePlace() {
  const language = useLanguage()
  const [usual] = useState({ country: languages[language].country })
  const [typed, setTyped] = useState<PayerPlace>(usual)
  const place = useSettled(typed, 400)

  function onAddress({ country, state, postal_code }: Required<PayerPlace>) {
    const next = { country, ...(state && { state }), ...(postal_code && { postal_code }) }
    setTyped((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next))
  }

  const isCountryChosen = typed.country !== usual.country
  return {
    place,
    isSettled: place === typed,
    isCountryChosen,
    payer: { country: typed.country, onAddress },
  }
}
