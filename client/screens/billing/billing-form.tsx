import type { Plan } from '#config/plans.ts'
import type { CallInput } from '#contract/calls.ts'
import type { BillingInfo, PayerPlace } from '#contract/entities.ts'
import { useCallback, useRef, useState, type ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/call.ts'
import { CallForm, type CallFormProps } from '../../components/call-form.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import type { Collect } from '../../providers/payments/payment-screens.ts'
import { usePaymentScreens } from '../../providers/payments/payments.ts'
import { BesideSummary } from './beside.tsx'
import { AddTaxId, taxIdOf, untypedTaxId } from './tax-id-fields.tsx'

type Buying = 'createSubscription' | 'changeSubscriptionPlan'

type BillingFormProps<Name extends Buying> = Omit<CallFormProps<Name>, 'input' | 'check'> & {
  plan: Plan
  input: (billingInfo: BillingInfo) => CallInput<Name>
  /** The price beside the fields. */
  summary: ReactNode
  /** The payer's place as it is typed. */
  place: PayerPlace
  onPlace: (place: PayerPlace) => void
}

const prefix = 'billingInfo.'

/**
 * Billing details and a card for a plan, below the `children`. The typed text stays after a
 * refusal.
 */
export function BillingForm<Name extends Buying>(props: BillingFormProps<Name>) {
  const {
    plan,
    input,
    onRefused,
    summary,
    place,
    onPlace,
    disabled = false,
    children,
    ...form
  } = props
  const screens = usePaymentScreens()
  const [ready, setReady] = useState(false)
  const collect = useRef<Collect>(null)
  const collected = useRef<BillingInfo>(undefined)
  const becomeReady = useCallback(() => setReady(true), [])
  const forget = useCallback(() => (collected.current = undefined), [])

  async function collectAll(values: FormData) {
    // The card goes to the provider once, so that a retry after a lost answer is the same purchase.
    collected.current ??= await collect.current!(values)
    const taxId = taxIdOf(values, prefix)
    return input({ ...collected.current, ...(taxId && { tax_id: taxId }) })
  }

  function refused(error: CallError) {
    if (!mayHaveArrived.has(error.reason)) forget()
    onRefused?.(error)
  }

  if (!screens)
    return (
      <BesideSummary summary={summary}>
        {children}
        <Skeleton className="grid gap-4">
          {[0, 1, 2, 3, 4, 5, 6].map((key) => (
            <div key={key} className="grid gap-2">
              <Bone className="h-3.5 w-28" />
              <Bone className="h-10" />
            </div>
          ))}
        </Skeleton>
      </BesideSummary>
    )
  const check = (values: FormData) => ({
    ...screens.check?.(values),
    ...untypedTaxId(values, prefix),
  })
  return (
    <CallForm
      {...form}
      input={collectAll}
      check={check}
      onRefused={refused}
      disabled={disabled || !ready}
    >
      <BesideSummary summary={summary}>
        {children}
        <screens.BillingFields
          plan={plan}
          collect={collect}
          onReady={becomeReady}
          onEdit={forget}
          onPlace={onPlace}
        />
        <AddTaxId prefix={prefix} country={place.country} />
      </BesideSummary>
    </CallForm>
  )
}
