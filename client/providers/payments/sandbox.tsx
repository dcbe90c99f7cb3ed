import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { CardFields } from '../../components/card-fields.tsx'
import { AddressFields, billingDetailsOf } from '../../components/address-fields.tsx'
import { Message } from '../../components/message.tsx'
import { useT } from '../../i18n.ts'
import { createPaymentMethod, findChallenge } from './sandbox-api.ts'
import type { BillingFieldsProps, ChallengeProps, Collect } from './payments.ts'

/** Stands in for the provider's own fields while no account is configured. */
export function BillingFields({ collect, onReady, onEdit }: BillingFieldsProps) {
  const t = useT()
  useEffect(onReady, [onReady])
  useImperativeHandle<Collect, Collect>(collect, () => async (values) => {
    const billingDetails = billingDetailsOf(values)
    return { billingDetails, paymentMethodId: await createPaymentMethod(values, billingDetails) }
  })
  return (
    <div className="grid gap-4" onInput={onEdit}>
      <AddressFields />
      <CardFields />
      <Message tone="neutral">{t('billing.sandboxHint')}</Message>
    </div>
  )
}

/** The bank's page, in a frame. */
export function Challenge({ clientSecret, onEnd }: ChallengeProps) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [page, setPage] = useState<string>()

  useEffect(() => {
    dialog.current?.showModal()
    void findChallenge(clientSecret).then((url) => (url ? setPage(url) : onEnd()), onEnd)
    const listen = ({ source, data }: MessageEvent) => source === frame.current?.contentWindow && data?.source === 'sandbox' && onEnd()
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [clientSecret, onEnd])

  return (
    <dialog
      ref={dialog}
      aria-label={t('billing.challenge')}
      onCancel={onEnd}
      className="m-auto w-full max-w-auth rounded-card border border-line bg-surface text-ink shadow-over backdrop:bg-veil open:animate-appear"
    >
      {page && (
        <iframe ref={frame} title={t('billing.challenge')} src={page} sandbox="allow-scripts allow-forms" className="block h-72 w-full" />
      )}
    </dialog>
  )
}
