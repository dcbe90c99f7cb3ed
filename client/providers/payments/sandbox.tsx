import { useEffect, type FormEvent } from 'react'
import { useSession } from '../../api/session.ts'
import { AddressFields, billingDetailsOf } from '../../components/address-fields.tsx'
import { FormSection } from '../../components/form-page.tsx'
import { CardFrame, type CardPage } from './card-frame.tsx'
import { cardholderOf, type BillingFieldsProps, type SetupFieldsProps } from './payment-screens.ts'
import { answerOf, confirmSetup } from './sandbox-bank.tsx'

export { challenge, finishSetup } from './sandbox-bank.tsx'

const prefix = 'billingInfo.billingDetails.'

/** Replaces Stripe's own fields while no Stripe account is configured. */
export function BillingFields(props: BillingFieldsProps) {
  const { isCardLater, known, onReady, onEdit, onAddress } = props
  const { user } = useSession()

  useEffect(() => {
    if (isCardLater)
      onReady(async (values) => ({ billingDetails: billingDetailsOf(values, prefix) }))
  }, [isCardLater, onReady])

  function begin({ make }: CardPage) {
    onReady(async (values) => {
      const billingDetails = billingDetailsOf(values, prefix)
      const { id } = await answerOf<{ id: string }>(make(billingDetails))
      return { billingDetails, paymentMethodId: id }
    })
  }

  function edit({ currentTarget }: FormEvent) {
    onEdit()
    const values = new FormData(currentTarget.closest('form')!)
    onAddress(billingDetailsOf(values, prefix).address)
  }

  return (
    <div className="grid gap-5" onInput={edit}>
      {!isCardLater && (
        <FormSection title="billing.overdue.payWith">
          <CardFrame onReady={begin} />
        </FormSection>
      )}
      <FormSection title="billing.invoiceTo">
        <AddressFields
          key={JSON.stringify(known)}
          prefix={prefix}
          known={known ?? { name: user.displayName }}
        />
      </FormSection>
    </div>
  )
}

export function SetupFields({ onReady }: SetupFieldsProps) {
  function begin({ make, focus }: CardPage) {
    // The frame loads after the form, and the user may already be typing the name.
    if (!document.activeElement?.matches('input, select')) focus()
    onReady(async (values) => {
      const { id } = await answerOf<{ id: string }>(make({ name: cardholderOf(values) }))
      return confirmSetup(id)
    })
  }

  return <CardFrame onReady={begin} />
}
