import type { Reason } from '#contract/refusals.ts'

/** What the provider says about a request it refuses. Empty where it gave no answer. */
export type Failure = {
  status?: number | undefined
  type?: string | undefined
  code?: string | undefined
  /** The parameter that is wrong. */
  param?: string | undefined
  /** As `POST /v1/invoices/:id/pay`. */
  operation?: string | undefined
}

const passing = new Set(['rate_limit', 'lock_timeout'])
const ended = new Set(['invalid_canceled_subscription_fields', 'invoice_upcoming_none'])

/** Our reason for a provider's error. Some errors can only be told apart by their operation. */
export function reasonOf({ status, type, code = '', param = '', operation = '' }: Failure): Reason {
  if (status === 402) return 'cardDeclined'
  if ((status !== 400 && status !== 404) || type === 'api_error' || passing.has(code))
    return 'paymentsUnavailable'
  if (code === 'tax_id_invalid') return 'taxIdInvalid'
  if (code === 'customer_tax_location_invalid') return 'taxLocationInvalid'
  if (/\bprice\]?$/.test(param)) return 'planNotForSale'
  if (code === 'resource_missing' && param === 'customer') return 'customerNotFound'
  if (isAboutCard({ code, param, operation })) return 'paymentMethodNotFound'
  if (code === 'email_invalid' || param === 'email') return 'emailRefused'
  if (param === 'phone') return 'phoneRefused'
  if (/^address\b/.test(param)) return 'addressRefused'
  if (ended.has(code)) return 'billingBusy'
  return /^POST \/v1\/invoices\/:id(\/(pay|void|mark_uncollectible))?$/.test(operation)
    ? 'notOverdue'
    : 'paymentRejected'
}

/** The error about a removed card or another customer's card has neither code nor parameter. */
function isAboutCard({
  code,
  param,
  operation,
}: Required<Pick<Failure, 'code' | 'param' | 'operation'>>) {
  if (/payment_method\]?$/.test(param)) return true
  // The customer has no card to pay with.
  if (code === 'resource_missing' && param === '') return true
  return /\/payment_methods\/:id(\/\w+)?$/.test(operation)
}
