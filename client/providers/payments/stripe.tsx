import { languages } from '#config/languages.ts'
import {
  AddressElement,
  Elements,
  PaymentElement,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js'
import type {
  Appearance,
  PaymentMethodResult,
  SetupIntentResult,
  Stripe,
  StripeElementLocale,
  StripeElements,
  StripeElementsOptionsMode,
  StripeError,
  StripePaymentElement,
  StripePaymentElementOptions,
} from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useState, type ReactNode } from 'react'
import { CallError } from '../../api/post.ts'
import { useSession } from '../../api/session.ts'
import { LiveProblem } from '../../components/message.tsx'
import { useLanguage } from '../../platform/i18n.ts'
import { logError } from '../../platform/log.ts'
import { runtime } from '../../platform/runtime.ts'
import { isDark } from '../../platform/theme.ts'
import {
  cardholderOf,
  keptCard,
  notAuthenticated,
  type BillingFieldsProps,
  type ConfirmSetup,
  type SetupFieldsProps,
} from './payment-screens.ts'

let loaded: Promise<Stripe> | undefined

/** Loads Stripe's script, which a content blocker may keep out. The next call then tries again. */
function loadScript() {
  return (loaded ??= loadStripe(runtime.stripePublishableKey!)
    .then((stripe) => stripe ?? Promise.reject(new Error('There is no page.')))
    .catch(() => {
      loaded = undefined
      throw new CallError('paymentsBlocked', { host: 'js.stripe.com' })
    }))
}

/** Offers cards only, because other methods take days or open their own page. */
const cardAlone: StripePaymentElementOptions = {
  layout: 'tabs',
  wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
}
/** Without Stripe's name field, because our form has one. */
const cardWithoutName: StripePaymentElementOptions = {
  ...cardAlone,
  fields: { billingDetails: { name: 'never' } },
}

export function BillingFields({ price, ...rest }: BillingFieldsProps) {
  return (
    <OwnFields
      options={{
        mode: 'subscription',
        amount: price.amount,
        currency: price.currency,
        paymentMethodCreation: 'manual',
      }}
    >
      <AddressAndCard {...rest} />
    </OwnFields>
  )
}

function AddressAndCard(props: Omit<BillingFieldsProps, 'price'>) {
  const { isCardLater, known, onReady, onEdit, onAddress } = props
  const stripe = useStripe()
  const elements = useElements()
  const language = useLanguage()
  const { user } = useSession()

  async function collect() {
    if (!stripe || !elements) throw new CallError('paymentsUnavailable')
    if (!isCardLater) await submit(elements)
    const address = await elements.getElement(AddressElement)?.getValue()
    if (!address) throw new CallError('addressElementMissing')
    if (!address.complete) throw new CallError('addressIncomplete')
    const paymentMethodId = isCardLater ? undefined : await makeCard(stripe, elements)
    const { name, phone = '', address: typed } = address.value
    const { line1, line2, city, state, postal_code, country } = typed
    return {
      billingDetails: {
        name,
        phone,
        address: { line1, ...(line2 && { line2 }), city, state, postal_code, country },
      },
      paymentMethodId,
    }
  }

  return (
    <>
      <AddressElement
        key={JSON.stringify(known)}
        options={{
          mode: 'billing',
          fields: { phone: 'always' },
          validation: { phone: { required: 'always' } },
          defaultValues: known ?? {
            name: user.displayName,
            address: { country: languages[language].country },
          },
        }}
        onChange={({ complete, value }) => {
          onEdit()
          onAddress(value.address)
          if (complete) onReady(collect)
        }}
      />
      {!isCardLater && (
        <PaymentElement options={cardAlone} onReady={() => onReady(collect)} onChange={onEdit} />
      )}
    </>
  )
}

async function makeCard(stripe: Stripe, elements: StripeElements) {
  const made: Partial<PaymentMethodResult> = await stripe.createPaymentMethod({ elements })
  if (made.error) throw toCallError(made.error)
  if (!made.paymentMethod) throw new CallError('noPaymentMethod')
  return made.paymentMethod.id
}

export function SetupFields({ currency, onReady }: SetupFieldsProps) {
  return (
    <OwnFields options={{ mode: 'setup', currency }}>
      <CardToKeep onReady={onReady} />
    </OwnFields>
  )
}

function CardToKeep({ onReady }: Pick<SetupFieldsProps, 'onReady'>) {
  const stripe = useStripe()
  const elements = useElements()

  async function prepare(values: FormData): Promise<ConfirmSetup> {
    if (!stripe || !elements) throw new CallError('paymentsUnavailable')
    await submit(elements)
    const billing_details = { name: cardholderOf(values) }
    return async ({ clientSecret, returnUrl }) => {
      const confirmParams = { return_url: returnUrl, payment_method_data: { billing_details } }
      const setup = { elements, clientSecret, confirmParams, redirect: 'if_required' } as const
      return cardOf(await stripe.confirmSetup(setup))
    }
  }

  function begin(element: StripePaymentElement) {
    // Stripe's fields load after the form, and the user may already be typing the name.
    if (!document.activeElement?.matches('input, select')) element.focus()
    onReady(prepare)
  }

  return <PaymentElement options={cardWithoutName} onReady={begin} />
}

type OwnFieldsProps = { options: StripeElementsOptionsMode; children: ReactNode }

/** Stripe's own fields, in the colours and the language of the page, or why there are none. */
function OwnFields({ options, children }: OwnFieldsProps) {
  const [stripe, setStripe] = useState<Stripe | null>(null)
  const [error, setError] = useState<CallError>()
  const language = useLanguage()
  const [appearance] = useState(readAppearance)
  const locale = (languages[language].paymentLocale ?? language) as StripeElementLocale
  const allowedPaymentMethodTypes = ['card']

  const begin = () => loadScript().then(draw, setError)
  const draw = (stripe: Stripe) => {
    setError(undefined)
    setStripe(stripe)
  }
  useEffect(() => {
    void begin()
    // oxlint-disable-next-line react/exhaustive-deps -- only when the fields appear
  }, [])

  return (
    <>
      <LiveProblem error={error} retry={begin} />
      {!error && (
        <Elements
          stripe={stripe}
          options={{ ...options, allowedPaymentMethodTypes, locale, appearance }}
        >
          {children}
        </Elements>
      )}
    </>
  )
}

async function submit(elements: StripeElements) {
  const { error } = await elements.submit()
  if (error) throw toCallError(error, 'paymentDetailsNotSubmitted')
}

export async function finishSetup(clientSecret: string) {
  const stripe = await loadScript()
  return cardOf(await stripe.retrieveSetupIntent(clientSecret))
}

function cardOf({ setupIntent, error }: Partial<SetupIntentResult>) {
  if (error) throw toCallError(error)
  if (!setupIntent) throw new CallError('noPaymentMethod')
  return keptCard(setupIntent, toCallError)
}

/** Shows the bank's question in Stripe's own dialog. */
export async function challenge(clientSecret: string) {
  const stripe = await loadScript()
  const answered = stripe.handleNextAction({ clientSecret })
  await answered.catch((error: unknown) => logError('The bank could not ask.', error))
}

/** `otherwise` is the reason for a request that Stripe calls invalid. Stripe marks wrong fields. */
function toCallError(
  { type, code, decline_code }: Pick<StripeError, 'code' | 'decline_code'> & { type: string },
  otherwise: CallError['reason'] = 'paymentMethodNotCreated',
) {
  if (code?.endsWith('_authentication_failure')) return notAuthenticated()
  if (type === 'validation_error') return new CallError('paymentDetailsNotSubmitted')
  if (type === 'card_error')
    return new CallError('cardDeclined', { declineCode: decline_code ?? code })
  if (type === 'api_connection_error' || type === 'api_error' || type === 'rate_limit_error')
    return new CallError('paymentsUnavailable')
  return new CallError(type === 'invalid_request_error' ? otherwise : 'paymentUnexpected')
}

/** Reads colours and fonts for Stripe's frames, which can't read our style sheet. */
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
    theme: isDark() ? 'night' : 'stripe',
    variables: {
      colorPrimary: read('--color-accent'),
      colorBackground: read('--color-surface'),
      colorText: read('--color-ink'),
      colorTextSecondary: read('--color-soft'),
      colorDanger: read('--color-bad'),
      borderRadius: style.getPropertyValue('--radius-control'),
      fontFamily: style.getPropertyValue('--font-sans'),
      fontSizeBase: '14px',
    },
  }
  canvas.remove()
  return appearance
}
