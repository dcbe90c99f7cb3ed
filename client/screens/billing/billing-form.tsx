import type { Plan } from '#config/plans.ts'
import type { CallInput } from '#contract/calls.ts'
import type { BillingInfo } from '#contract/entities.ts'
import { useCallback, useRef, useState } from 'react'
import type { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/use-action.ts'
import { CallForm, type CallFormProps } from '../../components/call-form.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { usePaymentScreens, type Collect } from '../../providers/payments/payments.ts'

type Buying = 'createSubscription' | 'changeSubscriptionPlan'

type BillingFormProps<Name extends Buying> = Omit<CallFormProps<Name>, 'input' | 'disabled'> & {
  plan: Plan
  input: (billingInfo: BillingInfo) => CallInput<Name>
}

/** Billing details and a card for a plan; `children` stand above them. Whatever the bank or the server says, nothing typed is lost. */
export function BillingForm<Name extends Buying>({ plan, input, onRefused, children, ...form }: BillingFormProps<Name>) {
  const screens = usePaymentScreens()
  const [ready, setReady] = useState(false)
  const collect = useRef<Collect>(null)
  const collected = useRef<BillingInfo>(undefined)
  const becomeReady = useCallback(() => setReady(true), [])
  const forget = useCallback(() => (collected.current = undefined), [])

  async function collectAll(values: FormData) {
    // A card is handed to the provider once: trying again after a lost answer repeats the same purchase.
    collected.current ??= await collect.current!(values)
    return input(collected.current)
  }

  function refused(error: CallError) {
    if (!mayHaveArrived.has(error.reason)) forget()
    onRefused?.(error)
  }

  if (!screens) return <BillingFormSkeleton>{children}</BillingFormSkeleton>
  return (
    <CallForm {...form} input={collectAll} onRefused={refused} disabled={!ready}>
      {children}
      <screens.BillingFields plan={plan} collect={collect} onReady={becomeReady} onEdit={forget} />
    </CallForm>
  )
}

function BillingFormSkeleton({ children }: Pick<BillingFormProps<Buying>, 'children'>) {
  return (
    <div className="grid gap-4">
      {children}
      <Skeleton className="grid gap-4">
        {[0, 1, 2, 3, 4, 5, 6].map((key) => (
          <div key={key} className="grid gap-2">
            <Bone className="h-3.5 w-28" />
            <Bone className="h-10" />
          </div>
        ))}
      </Skeleton>
    </div>
  )
}
