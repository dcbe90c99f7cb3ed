import type { CallOutput } from '#contract/calls.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { toCallError, type CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/call.ts'
import { CallForm } from '../../components/call-form.tsx'
import { Card } from '../../components/card.tsx'
import { Checkbox, TextField } from '../../components/fields.tsx'
import { Bone, FieldBones, Skeleton } from '../../components/skeleton.tsx'
import { useQuery } from '../../components/use-query.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import type { ConfirmSetup, PrepareSetup } from '../../providers/payments/payment-screens.ts'
import { loadPaymentScreens, usePaymentScreens } from '../../providers/payments/payments.ts'
import { ownPrice } from './plans.ts'

/** Runs after a card was added. If `isToPay`, that card becomes the default card. */
type OnAdded = (paymentMethodId: string, isToPay: boolean) => Promise<void>

type AddCardProps = {
  /** Whether the box that makes the new card the default card starts checked. */
  isToPay: boolean
  cancel: string
  onAdded: OnAdded
}

/** The parameter that makes the new card the default card, in the URL that the bank returns to. */
const returnMark = 'default'

/** A form that saves a card. The typed text stays if the bank refuses the card. */
export function AddCard({ isToPay, cancel, onAdded }: AddCardProps) {
  const t = useT()
  const { user, subscriptionId, subscription, plan, pathTo } = useProject()
  const { currency } = ownPrice(subscription, plan)
  const screens = usePaymentScreens()
  const [prepare, setPrepare] = useState<PrepareSetup>()
  const confirm = useRef<ConfirmSetup>(null)
  const choice = useRef<HTMLInputElement>(null)
  const becomeReady = useCallback((next: PrepareSetup) => setPrepare(() => next), [])

  async function input(values: FormData) {
    confirm.current = await prepare!(values)
    return { subscriptionId }
  }

  async function keep({ clientSecret }: CallOutput<'createSetupIntent'>) {
    // A user who has left the screen no longer wants to save the card.
    if (!choice.current) return
    const isChosen = choice.current.checked
    const returnUrl = `${location.origin}${pathTo('managePaymentMethods')}${isChosen ? `?${returnMark}` : ''}`
    await onAdded(await confirm.current!({ clientSecret, returnUrl }), isChosen)
  }

  return (
    <Card title={t('billing.cards.add')} className="max-w-form">
      {screens ? (
        <CallForm
          call="createSetupIntent"
          input={input}
          onDone={keep}
          submit="billing.cards.save"
          failed="billing.cards.addFailed"
          cancel={cancel}
          disabled={!prepare}
          check={screens.check}
        >
          <screens.SetupFields currency={currency} onReady={becomeReady} />
          <TextField
            name="card.name"
            label="billing.cards.holder"
            autoComplete="cc-name"
            defaultValue={user.displayName}
            maxLength={100}
            required
          />
          <Checkbox ref={choice} defaultChecked={isToPay}>
            {t('billing.cards.useFromNow')}
          </Checkbox>
        </CallForm>
      ) : (
        <AddCardSkeleton />
      )}
    </Card>
  )
}

function AddCardSkeleton() {
  return (
    <Skeleton className="grid gap-4">
      <Bone className="h-16" />
      <FieldBones count={1} />
      <div className="grid grid-cols-2 gap-4">
        <FieldBones count={2} />
      </div>
      <FieldBones count={1} />
      <Bone className="my-2 h-5 w-72" />
      <Bone className="ms-auto h-10 w-44" />
    </Skeleton>
  )
}

const told = ['setup_intent', 'setup_intent_client_secret', 'redirect_status', returnMark]

const retryable = new Set([...mayHaveArrived, 'paymentsBlocked'])

/** Finishes saving a card after the bank's own page. Returns `retry` if the answer was lost. */
export function useReturnFromBank(onAdded: OnAdded) {
  const [params, change] = useQuery()
  const [returned] = useState(() => ({
    clientSecret: params.get('setup_intent_client_secret'),
    isToPay: params.has(returnMark),
  }))
  const [state, setState] = useState<{ busy: boolean; error?: CallError }>({
    busy: returned.clientSecret !== null,
  })
  const begun = useRef(false)

  useEffect(() => {
    if (begun.current || returned.clientSecret === null) return
    // In development, React runs effects twice.
    begun.current = true
    change((params) => told.forEach((name) => params.delete(name)))
    void finish()
  })

  async function finish() {
    setState({ busy: true })
    try {
      const { finishSetup } = await loadPaymentScreens()
      const card = await finishSetup(returned.clientSecret!)
      setState({ busy: false })
      await onAdded(card, returned.isToPay)
    } catch (error) {
      setState({ busy: false, error: toCallError(error) })
    }
  }

  const canRetry = state.error && retryable.has(state.error.reason)
  return { ...state, retry: canRetry ? finish : undefined }
}
