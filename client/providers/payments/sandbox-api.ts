import type { BillingDetails } from '#contract/entities.ts'
import { CallError } from '../../api/post.ts'
import { cardNumberOf, expiryOf } from '../../components/card-fields.tsx'
import { textOf } from '../../components/fields.tsx'
import { runtime } from '../../platform/runtime.ts'
import { keptCard, notAuthenticated } from './payment-screens.ts'

/** Sends the card to the sandbox as a provider's script would, never to our server. */
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
  const { id } = await ask<{ id?: string }>('payment_methods', fields)
  if (id === undefined) throw new CallError('noPaymentMethod')
  return id
}

type Intent = {
  status: string
  payment_method: string | null
  next_action: { redirect_to_url?: { url: string } } | null
  last_setup_error?: ProviderError | null
}

/** Stores a card. Returns whether the bank wants to ask the user first. */
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

/** The URL of the bank's question, undefined if there is none. */
export async function findChallenge(clientSecret: string) {
  const { next_action } = await findIntent(clientSecret)
  const url = next_action?.redirect_to_url?.url
  if (!url || !runtime.sandbox) return url
  // The user may have opened our page under another host name, so only the path is kept.
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

/** Sends `fields` to the sandbox. Without them, only reads. */
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
