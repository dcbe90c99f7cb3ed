import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useSession } from '../../api/session.ts'
import { AddressFields, billingDetailsOf } from '../../components/address-fields.tsx'
import { Button } from '../../components/button.tsx'
import { FormActions } from '../../components/call-form.tsx'
import { CardFields, checkCard, fillInCard } from '../../components/card-fields.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormSection } from '../../components/form-page.tsx'
import { Message } from '../../components/message.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useT } from '../../platform/i18n.ts'
import {
  askBuyer,
  cardholderOf,
  type BillingFieldsProps,
  type ConfirmSetup,
  type SetupFieldsProps,
} from './payment-screens.ts'
import {
  confirmSetup,
  createPaymentMethod,
  findChallenge,
  finishSetup,
  isSetup,
} from './sandbox-api.ts'

export { checkCard as check, finishSetup }

const prefix = 'billingInfo.billingDetails.'

/** Replaces Stripe's own fields while no Stripe account is configured. */
export function BillingFields({ onReady, onEdit, onAddress }: BillingFieldsProps) {
  const { user } = useSession()
  useEffect(() => onReady(collect), [onReady])

  function edit({ currentTarget }: FormEvent) {
    onEdit()
    const values = new FormData(currentTarget.closest('form')!)
    onAddress(billingDetailsOf(values, prefix).address)
  }

  return (
    <div className="grid gap-5" onInput={edit}>
      <FormSection title="billing.overdue.payWith">
        <TestCard />
        <CardFields />
      </FormSection>
      <FormSection title="billing.invoiceTo">
        <AddressFields prefix={prefix} known={{ name: user.displayName }} />
      </FormSection>
    </div>
  )
}

async function collect(values: FormData) {
  const billingDetails = billingDetailsOf(values, prefix)
  return { billingDetails, paymentMethodId: await createPaymentMethod(values, billingDetails) }
}

/** A button that fills in a test card, because the sandbox takes no real ones. */
function TestCard() {
  const t = useT()
  return (
    <Message
      tone="neutral"
      action={
        <Button onClick={({ currentTarget }) => fillInCard(currentTarget.form!, testCard)}>
          {t('billing.card.fillIn')}
        </Button>
      }
    >
      {t('billing.card.sandbox')}
    </Message>
  )
}

const testCard = { number: '4242424242424242', expiry: '1234', cvc: '123' }

export function SetupFields({ onReady }: SetupFieldsProps) {
  useEffect(() => onReady(prepare), [onReady])
  return (
    <>
      <TestCard />
      <div ref={focusFirst} className="grid gap-4">
        <CardFields />
      </div>
    </>
  )
}

function focusFirst(fields: HTMLElement | null) {
  fields?.querySelector('input')?.focus()
}

async function prepare(values: FormData): Promise<ConfirmSetup> {
  const card = await createPaymentMethod(values, { name: cardholderOf(values) })
  return async ({ clientSecret, returnUrl }) => {
    const setup = { payment_method: card, return_url: returnUrl }
    if (await confirmSetup(clientSecret, setup)) await challenge(clientSecret)
    return finishSetup(clientSecret)
  }
}

export function challenge(clientSecret: string) {
  return askBuyer((onEnd) => <Challenge clientSecret={clientSecret} onEnd={onEnd} />)
}

function Challenge({ clientSecret, onEnd }: { clientSecret: string; onEnd: () => void }) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [page, setPage] = useState<string>()
  const title = t(isSetup(clientSecret) ? 'billing.cards.challenge' : 'billing.challenge')

  useEffect(() => {
    const end = () => dialog.current?.close()
    void findChallenge(clientSecret).then((url) => (url ? setPage(url) : end()), end)
    const listen = ({ source, data }: MessageEvent) =>
      source === frame.current?.contentWindow && data?.source === 'sandbox' && end()
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [clientSecret])

  return (
    <Dialog ref={dialog} title={title} onClose={onEnd}>
      <div className="grid h-[min(24rem,60dvh)] overflow-hidden rounded-control border border-line">
        {page ? (
          <iframe
            ref={frame}
            title={title}
            src={page}
            sandbox="allow-scripts allow-forms"
            className="size-full"
          />
        ) : (
          <Spinner className="m-auto" />
        )}
      </div>
      <div className="mt-4">
        <FormActions>
          <Button size="large" onClick={() => dialog.current?.close()}>
            {t('common.cancel')}
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
