import type { Plan } from '#config/plans.ts'
import type { BillingInfo } from '#contract/entities.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { act } from '../../api/call.ts'
import type { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/use-action.ts'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useT } from '../../i18n.ts'
import { loadPaymentScreens, type Collect } from '../../providers/payments/payments.ts'

type Screens = Awaited<ReturnType<typeof loadPaymentScreens>>

/** Billing details and a card for a new project. Whatever the bank or the server says, nothing typed is lost. */
export function Checkout({ plan }: { plan: Plan }) {
  const t = useT()
  const navigate = useNavigate()
  const [screens, setScreens] = useState<Screens>()
  const [ready, setReady] = useState(false)
  const collect = useRef<Collect>(null)
  const collected = useRef<BillingInfo>(undefined)
  const challenge = useChallenge()
  const becomeReady = useCallback(() => setReady(true), [])
  const forget = useCallback(() => (collected.current = undefined), [])
  useEffect(() => void loadPaymentScreens().then(setScreens), [])

  async function input(values: FormData) {
    // A card is handed to the provider once: trying again after a lost answer repeats the same purchase.
    collected.current ??= await collect.current!(values)
    return { planId: plan.id, billingInfo: collected.current }
  }

  async function finish({ subscriptionId, clientSecret }: { subscriptionId: string; clientSecret?: string }) {
    if (clientSecret !== undefined) {
      await challenge.ask(clientSecret)
      await act('completeSubscription', { subscriptionId })
    }
    await navigate(projectPath('settings', subscriptionId))
  }

  function refused({ reason }: CallError) {
    if (!mayHaveArrived.has(reason)) forget()
  }

  return (
    <FormPage title="createPlan.checkout">
      <p className="mb-5 flex items-baseline justify-between gap-4 border-b border-line pb-4">
        <span className="text-lead font-semibold">{t(plan.titleKey)}</span>
        <span className="text-soft tabular-nums">
          {`${plan.currency}${plan.price}`} {t('plans.perWeek')}
        </span>
      </p>
      {screens ? (
        <CallForm
          call="createSubscription"
          input={input}
          onDone={finish}
          onRefused={refused}
          submit="createPlan.submit"
          failed="createPlan.failed"
          cancel={paths.createPlan}
          disabled={!ready}
        >
          <screens.BillingFields plan={plan} collect={collect} onReady={becomeReady} onEdit={forget} />
        </CallForm>
      ) : (
        <Spinner className="min-h-80" />
      )}
      {screens && challenge.clientSecret !== undefined && <screens.Challenge clientSecret={challenge.clientSecret} onEnd={challenge.end} />}
    </FormPage>
  )
}

/** The bank's question as something to wait for. */
function useChallenge() {
  const [clientSecret, setClientSecret] = useState<string>()
  const ended = useRef<() => void>(undefined)

  function ask(clientSecret: string) {
    setClientSecret(clientSecret)
    return new Promise<void>((resolve) => (ended.current = resolve))
  }

  const end = useCallback(() => {
    setClientSecret(undefined)
    ended.current?.()
  }, [])

  return { clientSecret, ask, end }
}
