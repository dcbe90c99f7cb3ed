import { languages } from '#config/languages.ts'
import type { Address, BillingDetails } from '#contract/entities.ts'
import { AddressElement, Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, StripeElementLocale, StripeElementsOptionsMode, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { CallError } from '../../api/post.ts'
import { useLanguage } from '../../i18n.ts'
import { runtime } from '../../runtime.ts'
import type { BillingFieldsProps, ChallengeProps, Collect } from './payments.ts'

const stripe = loadStripe(runtime.stripePublishableKey!)

/** Stripe's own fields, in the colours and the language of the page. */
export function BillingFields({ plan, ...rest }: BillingFieldsProps) {
  const language = useLanguage()
  const [appearance] = useState(readAppearance)
  const options: StripeElementsOptionsMode = {
    mode: 'subscription',
    amount: plan.price * 100,
    currency: plan.currencyCode,
    paymentMethodCreation: 'manual',
    locale: languages[language].paymentLocale as StripeElementLocale,
    appearance,
  }
  return (
    <Elements stripe={stripe} options={options}>
      <Fields {...rest} />
    </Elements>
  )
}

function Fields({ collect, onReady, onEdit }: Omit<BillingFieldsProps, 'plan'>) {
  const stripe = useStripe()
  const elements = useElements()
  const language = useLanguage()

  useImperativeHandle<Collect, Collect>(collect, () => async () => {
    if (!stripe || !elements) throw new CallError('paymentsUnavailable')
    const submitted = await elements.submit()
    if (submitted.error) throw toCallError(submitted.error)
    const address = await elements.getElement(AddressElement)!.getValue()
    if (!address.complete) throw new CallError('addressIncomplete')
    const { error, paymentMethod } = await stripe.createPaymentMethod({ elements })
    if (error) throw toCallError(error)
    return { billingDetails: toBillingDetails(address.value), paymentMethodId: paymentMethod.id }
  })

  return (
    <>
      <AddressElement
        options={{
          mode: 'billing',
          fields: { phone: 'always' },
          validation: { phone: { required: 'always' } },
          defaultValues: { address: { country: language.startsWith('zh') ? 'CN' : 'US' } },
        }}
        onChange={({ complete }) => (onEdit(), complete && onReady())}
      />
      <PaymentElement options={{ layout: 'tabs' }} onReady={onReady} onChange={onEdit} />
    </>
  )
}

/** The bank's question, in Stripe's own dialog. */
export function Challenge({ clientSecret, onEnd }: ChallengeProps) {
  const asked = useRef(false)
  useEffect(() => {
    // Effects run twice while developing; the bank is to ask once.
    if (asked.current) return
    asked.current = true
    void stripe.then((stripe) => stripe?.handleNextAction({ clientSecret })).finally(onEnd)
  }, [clientSecret, onEnd])
  return null
}

type StripeAddress = { name: string; phone?: string | undefined; address: Omit<Address, 'line2'> & { line2?: string | null } }

function toBillingDetails({
  name,
  phone = '',
  address: { line1, line2, city, state, postal_code, country },
}: StripeAddress): BillingDetails {
  return { name, phone, address: { line1, ...(line2 && { line2 }), city, state, postal_code, country } }
}

/** What is wrong with a field, Stripe says beside it. */
function toCallError({ type, decline_code, code }: StripeError) {
  if (type === 'validation_error') return new CallError('invalidInput')
  if (type === 'card_error') return new CallError('cardDeclined', { declineCode: decline_code ?? code })
  return new CallError('paymentsUnavailable')
}

/** Stripe's frames can't read our style sheet, so its colours are handed over. */
function readAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => {
    const paint = document.createElement('canvas').getContext('2d')!
    paint.fillStyle = style.getPropertyValue(name)
    return paint.fillStyle
  }
  return {
    theme: document.documentElement.classList.contains('dark') ? 'night' : 'stripe',
    variables: {
      colorPrimary: read('--color-accent'),
      colorBackground: read('--color-surface'),
      colorText: read('--color-ink'),
      colorTextSecondary: read('--color-soft'),
      colorDanger: read('--color-bad'),
      borderRadius: style.getPropertyValue('--radius-control'),
      fontFamily: 'Inter, system-ui, sans-serif',
      fontSizeBase: '14px',
    },
  }
}
