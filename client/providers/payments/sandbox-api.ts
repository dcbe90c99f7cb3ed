import type { BillingDetails } from '#contract/entities.ts'
import { CallError } from '../../api/post.ts'
import { cardNumberOf, expiryOf } from '../../components/card-fields.tsx'
import { textOf } from '../../components/text-field.tsx'
import { runtime } from '../../platform/runtime.ts'
import { keptCard, notAuthenticated } from './payment-screens.ts'

/** Does what the provider's own script would do, so our server never sees a card number. */
export async function createPaymentMethod(
  values: FormData,
  { name, phone, address }: Pick<BillingDetails, 'name'> & Partial<BillingDetails>,
) {
  const { month, year } = expiryOf(values)
  const fields = {
    type: 'card',
    'card[number]': cardNumberOf(values),
    'card[exp_month]': month,
    'card[exp_year]': year,
    'card[cvc]': textOf(values, 'card.cvc'),
    'billing_details[name]': name,
    ...(phone && { 'billing_details[phone]': phone }),
    ...Object.fromEntries(
      Object.entries(address ?? {}).map(([key, value]) => [
        `billing_details[address][${key}]`,
        value,
      ]),
    ),
  }
  const { id } = await ask<{ id: string }>('payment_methods', fields)
  return id
}

type Intent = {
  status: string
  payment_method: string | null
  next_action: { redirect_to_url?: { url: string } } | null
  last_setup_error?: ProviderError | null
}

/** Returns whether the bank wants to ask before the card is stored. */
export async function confirmSetup(
  clientSecret: string,
  card: { payment_method: string; return_url: string },
) {
  const fields = { client_secret: clientSecret, ...card }
  const { next_action } = await ask<Intent>(`${intentPath(clientSecret)}/confirm`, fields)
  return next_action !== null
}

export async function finishSetup(clientSecret: string) {
  return keptCard(await findIntent(clientSecret), toCallError)
}

/** Finds the page of the bank's question, if it has one. */
export async function findChallenge(clientSecret: string) {
  const { next_action } = await findIntent(clientSecret)
  const url = next_action?.redirect_to_url?.url
  if (!url || !runtime.sandbox) return url
  // The page may have been opened under another of our server's names.
  const { pathname, search } = new URL(url)
  return pathname + search
}

export function isSetup(clientSecret: string) {
  return clientSecret.startsWith('seti_')
}

function findIntent(clientSecret: string) {
  return ask<Intent>(
    `${intentPath(clientSecret)}?client_secret=${encodeURIComponent(clientSecret)}`,
  )
}

function intentPath(clientSecret: string) {
  const [id = ''] = clientSecret.split('_secret_')
  return `${isSetup(clientSecret) ? 'setup_intents' : 'payment_intents'}/${encodeURIComponent(id)}`
}

/** Reads, or sends the fields. */
async function ask<Answer extends object>(
  path: string,
  fields?: Record<string, string>,
): Promise<Answer> {
  const headers = { authorization: 'Bearer pk_test_sandbox' }
  const sent = fields && { method: 'POST', body: new URLSearchParams(fields) }
  const response = await fetch(`/sandbox/stripe/v1/${path}`, { headers, ...sent }).catch(() => {
    throw new CallError('network')
  })
  const body = (await response.json()) as Answer | { error: ProviderError }
  if ('error' in body) throw toCallError(body.error)
  return body
}

type ProviderError = { type: string; code?: string; decline_code?: string }

function toCallError({ type, code = '', decline_code }: ProviderError) {
  if (code.endsWith('_authentication_failure')) return notAuthenticated()
  if (type !== 'card_error') return new CallError('paymentMethodNotCreated')
  const field = /_(number|expiry|cvc)/.exec(code)?.[1]
  const fields = field && { [`card.${field}`]: code }
  if (fields && code.startsWith('invalid_')) return new CallError('invalidInput', { fields })
  return new CallError('cardDeclined', {
    declineCode: decline_code ?? code,
    ...(fields && { fields }),
  })
}
