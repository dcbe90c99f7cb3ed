import type { BillingDetails } from '#contract/entities.ts'
import { CallError } from '../../api/post.ts'
import { cardNumberOf, expiryOf } from '../../components/card-fields.tsx'
import { textOf } from '../../components/text-of.ts'

const publishableKey = 'pk_test_sandbox'

/** What the provider's own script would do with what was typed: our server never sees a card number. */
export async function createPaymentMethod(values: FormData, { name, phone, address }: BillingDetails) {
  const { month, year } = expiryOf(values)
  const fields = {
    type: 'card',
    'card[number]': cardNumberOf(values),
    'card[exp_month]': month,
    'card[exp_year]': year,
    'card[cvc]': textOf(values, 'card.cvc'),
    'billing_details[name]': name,
    'billing_details[phone]': phone,
    ...Object.fromEntries(Object.entries(address).map(([key, value]) => [`billing_details[address][${key}]`, value])),
  }
  const { id } = await ask<{ id: string }>('payment_methods', { method: 'POST', body: new URLSearchParams(fields) })
  return id
}

type Intent = { next_action: { redirect_to_url?: { url: string } } | null }

/** Where the bank asks its question, if it has one. */
export async function findChallenge(clientSecret: string) {
  const [id] = clientSecret.split('_secret_')
  const intent = await ask<Intent>(`payment_intents/${id}?client_secret=${encodeURIComponent(clientSecret)}`)
  const url = intent.next_action?.redirect_to_url?.url
  return url && new URL(url).pathname + new URL(url).search
}

async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`/sandbox/stripe/v1/${path}`, { ...init, headers: { authorization: `Bearer ${publishableKey}` } }).catch(
    () => {
      throw new CallError('network')
    },
  )
  const body = (await response.json()) as Answer | { error: { code?: string; decline_code?: string } }
  if (typeof body === 'object' && body !== null && 'error' in body)
    throw new CallError('cardDeclined', { declineCode: body.error.decline_code ?? body.error.code })
  return body
}
