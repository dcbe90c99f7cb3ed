import type { CallOutput } from '#contract/calls.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { CallForm } from '../../components/call-form.tsx'
import { Card } from '../../components/card.tsx'
import { CardholderField } from '../../components/cardholder-field.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Bone, FieldBone, Skeleton } from '../../components/skeleton.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import type { ConfirmSetup, PrepareSetup } from '../../providers/payments/payment-screens.ts'
import { usePaymentScreens } from '../../providers/payments/payments.ts'
import { returnMark } from './use-return-from-bank.ts'

type AddCardProps = {
  /** Whether the box is checked at first. */
  isToPay: boolean
  cancel: string
  onAdded: (paymentMethodId: string, isToPay: boolean) => Promise<void>
}

/** Saves a card. The typed text stays if the bank refuses. */
export function AddCard({ isToPay, cancel, onAdded }: AddCardProps) {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const screens = usePaymentScreens()
  const [ready, setReady] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const prepare = useRef<PrepareSetup>(null)
  const confirm = useRef<ConfirmSetup>(null)
  const choice = useRef<HTMLInputElement>(null)
  const becomeReady = useCallback(() => setReady(true), [])
  useEffect(() => {
    if (screens) fields.current?.querySelector('input')?.focus()
  }, [screens])

  async function input(values: FormData) {
    confirm.current = await prepare.current!(values)
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
          disabled={!ready}
          check={screens.check}
        >
          <div ref={fields} className="grid gap-4">
            <CardholderField />
            <screens.SetupFields prepare={prepare} onReady={becomeReady} />
            <Checkbox ref={choice} defaultChecked={isToPay}>
              {t('billing.cards.useFromNow')}
            </Checkbox>
          </div>
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
      <FieldBone />
      <FieldBone />
      <div className="grid grid-cols-2 gap-4">
        <FieldBone />
        <FieldBone />
      </div>
      <Bone className="h-16" />
      <Bone className="my-2 h-5 w-72" />
      <Bone className="ms-auto h-10 w-44" />
    </Skeleton>
  )
}
