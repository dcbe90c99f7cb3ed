import { languages } from '#config/languages.ts'
import { plans } from '#config/plans.ts'
import type { Address, BillingDetails } from '#contract/entities.ts'
import {
  AddressElement,
  Elements,
  PaymentElement,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js'
import type {
  Appearance,
  SetupIntentResult,
  StripeElementLocale,
  StripeElementsOptionsMode,
  StripeError,
  StripePaymentElementOptions,
} from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { CallError } from '../../api/post.ts'
import { cardholderOf } from '../../components/cardholder-field.tsx'
import { useLanguage } from '../../i18n.ts'
import { runtime } from '../../runtime.ts'
import {
  placeOf,
  type BillingFieldsProps,
  type ChallengeProps,
  type Collect,
  type PrepareSetup,
  type SetupFieldsProps,
} from './payment-screens.ts'

const stripe = loadStripe(runtime.stripePublishableKey!)

/** Cards only: other methods take days or open a page of their own. */
const cardAlone: StripePaymentElementOptions = {
  layout: 'tabs',
  wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
}
/** Our form has a field for the holder's name. */
const cardWithoutName: StripePaymentElementOptions = {
  ...cardAlone,
  fields: { billingDetails: { name: 'never' } },
}

/** Stripe's own fields, in the colours and the language of the page. */
export function BillingFields({ plan, ...rest }: BillingFieldsProps) {
  const language = useLanguage()
  const [appearance] = useState(readAppearance)
  const options: StripeElementsOptionsMode = {
    mode: 'subscription',
    amount: plan.price * 100,
    currency: plan.currencyCode,
    paymentMethodCreation: 'manual',
    allowedPaymentMethodTypes: ['card'],
    locale: (languages[language].paymentLocale ?? language) as StripeElementLocale,
    appearance,
  }
  return (
    <Elements stripe={stripe} options={options}>
      <Fields {...rest} />
    </Elements>
  )
}

function Fields({ collect, onReady, onEdit, onPlace }: Omit<BillingFieldsProps, 'plan'>) {
  const stripe = useStripe()
  const elements = useElements()
  const language = useLanguage()

  useImperativeHandle<Collect, Collect>(collect, () => async () => {
    if (!stripe || !elements) throw new CallError('paymentsUnavailable')
    const submitted = await elements.submit()
    if (submitted.error) throw toCallError(submitted.error, 'paymentDetailsNotSubmitted')
    const address = await elements.getElement(AddressElement)?.getValue()
    if (!address) throw new CallError('addressElementMissing')
    if (!address.complete) throw new CallError('addressIncomplete')
    const { error, paymentMethod } = await stripe.createPaymentMethod({ elements })
    if (error) throw toCallError(error, 'paymentMethodNotCreated')
    if (!paymentMethod) throw new CallError('noPaymentMethod')
    return { billingDetails: toBillingDetails(address.value), paymentMethodId: paymentMethod.id }
  })

  return (
    <>
      <AddressElement
        options={{
          mode: 'billing',
          fields: { phone: 'always' },
          validation: { phone: { required: 'always' } },
          defaultValues: { address: { country: languages[language].country } },
        }}
        onChange={({ complete, value }) => (
          onEdit(),
          onPlace(placeOf(value.address)),
          complete && onReady()
        )}
      />
      <PaymentElement options={cardAlone} onReady={onReady} onChange={onEdit} />
    </>
  )
}

export function SetupFields(props: SetupFieldsProps) {
  const language = useLanguage()
  const [appearance] = useState(readAppearance)
  const options: StripeElementsOptionsMode = {
    mode: 'setup',
    currency: plans[0].currencyCode,
    allowedPaymentMethodTypes: ['card'],
    locale: (languages[language].paymentLocale ?? language) as StripeElementLocale,
    appearance,
  }
  return (
    <Elements stripe={stripe} options={options}>
      <CardToKeep {...props} />
    </Elements>
  )
}

function CardToKeep({ prepare, onReady }: SetupFieldsProps) {
  const stripe = useStripe()
  const elements = useElements()

  useImperativeHandle<PrepareSetup, PrepareSetup>(prepare, () => async (values) => {
    if (!stripe || !elements) throw new CallError('paymentsUnavailable')
    const submitted = await elements.submit()
    if (submitted.error) throw toCallError(submitted.error, 'paymentDetailsNotSubmitted')
    const billing_details = { name: cardholderOf(values) }
    return async ({ clientSecret, returnUrl }) => {
      const confirmParams = { return_url: returnUrl, payment_method_data: { billing_details } }
      return keptCard(
        await stripe.confirmSetup({
          elements,
          clientSecret,
          confirmParams,
          redirect: 'if_required',
        }),
      )
    }
  })

  return <PaymentElement options={cardWithoutName} onReady={onReady} />
}

export async function finishSetup(clientSecret: string) {
  const loaded = await stripe
  if (!loaded) throw new CallError('paymentsUnavailable')
  return keptCard(await loaded.retrieveSetupIntent(clientSecret))
}

/** Returns the stored card's id, or throws why there is none. */
function keptCard({ setupIntent, error }: SetupIntentResult) {
  if (error) throw toCallError(error, 'paymentMethodNotCreated')
  const { status, payment_method: card, last_setup_error: refusal } = setupIntent
  if (status !== 'succeeded')
    throw refusal ? toCallError(refusal, 'paymentMethodNotCreated') : notAuthenticated()
  if (!card) throw new CallError('noPaymentMethod')
  return typeof card === 'string' ? card : card.id
}

/** Shows the bank's question in Stripe's own dialog. */
export function Challenge({ clientSecret, onEnd }: ChallengeProps) {
  const asked = useRef(false)
  useEffect(() => {
    // Effects run twice in development; the bank must ask once.
    if (asked.current) return
    asked.current = true
    void stripe.then((stripe) => stripe?.handleNextAction({ clientSecret })).finally(onEnd)
  }, [clientSecret, onEnd])
  return null
}

type StripeAddress = {
  name: string
  phone?: string | undefined
  address: Omit<Address, 'line2'> & { line2?: string | null }
}

function toBillingDetails({
  name,
  phone = '',
  address: { line1, line2, city, state, postal_code, country },
}: StripeAddress): BillingDetails {
  return {
    name,
    phone,
    address: { line1, ...(line2 && { line2 }), city, state, postal_code, country },
  }
}

type Refused = Pick<StripeError, 'code' | 'decline_code'> & { type: string }

/** `otherwise` is for errors of neither card nor bank. Stripe marks wrong fields itself. */
function toCallError(
  { type, code, decline_code }: Refused,
  otherwise: 'paymentDetailsNotSubmitted' | 'paymentMethodNotCreated',
) {
  if (code?.endsWith('_authentication_failure')) return notAuthenticated()
  if (type === 'validation_error') return new CallError('paymentDetailsNotSubmitted')
  if (type === 'card_error')
    return new CallError('cardDeclined', { declineCode: decline_code ?? code })
  if (type === 'api_connection_error' || type === 'api_error' || type === 'rate_limit_error')
    return new CallError('paymentsUnavailable')
  return new CallError(type === 'invalid_request_error' ? otherwise : 'paymentUnexpected')
}

function notAuthenticated() {
  return new CallError('cardDeclined', { declineCode: 'authentication_required' })
}

/** Stripe's frames can't read our style sheet, so they get its colours here. */
function readAppearance(): Appearance {
  const canvas = document.body.appendChild(document.createElement('canvas'))
  const paint = canvas.getContext('2d')!
  const style = getComputedStyle(canvas)
  const read = (name: string) => {
    canvas.style.color = `var(${name})`
    paint.fillStyle = style.color
    return paint.fillStyle
  }
  const appearance: Appearance = {
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
  canvas.remove()
  return appearance
}
