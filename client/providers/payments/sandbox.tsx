import { useEffect, useImperativeHandle, useRef, useState, type ReactNode } from 'react'
import { AddressFields, billingDetailsOf } from '../../components/address-fields.tsx'
import { Button } from '../../components/button.tsx'
import { CardFields, cardholderOf } from '../../components/card-fields.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Message } from '../../components/message.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useT } from '../../i18n.ts'
import type { BillingFieldsProps, ChallengeProps, Collect, PrepareSetup, SetupFieldsProps } from './payments.ts'
import { confirmSetup, createPaymentMethod, findChallenge, finishSetup, isSetup } from './sandbox-api.ts'

export { finishSetup }

const prefix = 'billingInfo.billingDetails.'

/** Stands in for the provider's own fields while no account is configured. */
export function BillingFields({ collect, onReady, onEdit }: BillingFieldsProps) {
  const t = useT()
  useEffect(onReady, [onReady])
  useImperativeHandle<Collect, Collect>(collect, () => async (values) => {
    const billingDetails = billingDetailsOf(values, prefix)
    return { billingDetails, paymentMethodId: await createPaymentMethod(values, billingDetails) }
  })
  return (
    <div className="grid gap-4" onInput={onEdit}>
      <AddressFields prefix={prefix} />
      <CardFields />
      <Message tone="neutral">{t('billing.sandboxHint')}</Message>
    </div>
  )
}

export function SetupFields({ prepare, onReady }: SetupFieldsProps) {
  const t = useT()
  const [question, setQuestion] = useState<ReactNode>(null)
  useEffect(onReady, [onReady])

  useImperativeHandle<PrepareSetup, PrepareSetup>(prepare, () => async (values) => {
    const paymentMethodId = await createPaymentMethod(values, { name: cardholderOf(values) })
    return async ({ clientSecret, returnUrl }) => {
      if (await confirmSetup({ clientSecret, paymentMethodId, returnUrl })) await ask(clientSecret)
      return finishSetup(clientSecret)
    }
  })

  async function ask(clientSecret: string) {
    await new Promise<void>((resolve) => setQuestion(<Challenge clientSecret={clientSecret} onEnd={resolve} />))
    setQuestion(null)
  }

  return (
    <>
      <CardFields />
      <Message tone="neutral">{t('billing.cards.sandboxHint')}</Message>
      {question}
    </>
  )
}

/** The bank's page, in a frame. */
export function Challenge({ clientSecret, onEnd }: ChallengeProps) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [page, setPage] = useState<string>()
  const title = t(isSetup(clientSecret) ? 'billing.cards.challenge' : 'billing.challenge')

  useEffect(() => {
    const end = () => dialog.current?.close()
    void findChallenge(clientSecret).then((url) => (url ? setPage(url) : end()), end)
    const listen = ({ source, data }: MessageEvent) => source === frame.current?.contentWindow && data?.source === 'sandbox' && end()
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [clientSecret])

  return (
    <Dialog ref={dialog} title={title} onClose={onEnd}>
      <div className="grid h-[min(24rem,60dvh)] overflow-hidden rounded-control border border-line">
        {page ? (
          <iframe ref={frame} title={title} src={page} sandbox="allow-scripts allow-forms" className="size-full" />
        ) : (
          <Spinner className="m-auto" />
        )}
      </div>
      <Button size="large" onClick={() => dialog.current?.close()} className="mt-4 w-full">
        {t('common.cancel')}
      </Button>
    </Dialog>
  )
}
