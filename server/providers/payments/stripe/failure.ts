import type { fromProvider } from '#contract/core-refusals.ts'

/** Without an answer of the provider there is no status and no code. */
export type Failure = {
  status?: number | undefined
  type?: string | undefined
  code?: string | undefined
  /** The request's wrong parameter. */
  param?: string | undefined
  /** The method and the path without ids, like `POST /v1/invoices/:id/pay`. */
  operation?: string | undefined
}

const passing = new Set(['rate_limit', 'lock_timeout'])
const ended = new Set(['invalid_canceled_subscription_fields', 'invoice_upcoming_none'])

/** Some errors of the provider differ only by the operation that failed. */
export function reasonOf({
  status,
  type,
  code = '',
  param = '',
  operation = '',
}: Failure): (typeof fromProvider)[number] {
  if (status === 402) return 'cardDeclined'
  if ((status !== 400 && status !== 404) || type === 'api_error' || passing.has(code))
    return 'paymentsUnavailable'
  if (code === 'tax_id_invalid') return 'taxIdInvalid'
  if (code === 'customer_tax_location_invalid') return 'taxLocationInvalid'
  if (/\bprice\]?$/.test(param)) return 'planNotForSale'
  if (code === 'resource_missing' && param === 'customer') return 'customerNotFound'
  if (/^discounts\b/.test(param) || /^(promotion_code|coupon)_/.test(code))
    return 'promotionNotForThis'
  if (/payment_method\]?$/.test(param)) return 'paymentMethodNotFound'
  // Stripe answers this if the customer has no card to pay with.
  if (code === 'resource_missing' && param === '') return 'paymentMethodNotFound'
  // If the card was removed or is another customer's, only the operation shows it.
  if (/\/payment_methods\/:id(\/\w+)?$/.test(operation)) return 'paymentMethodNotFound'
  if (code === 'email_invalid' || param === 'email') return 'emailRefused'
  if (param === 'phone') return 'phoneRefused'
  if (/^address\b/.test(param)) return 'addressRefused'
  if (ended.has(code)) return 'billingBusy'
  return /^POST \/v1\/invoices\/:id(\/(pay|void|mark_uncollectible))?$/.test(operation)
    ? 'notOverdue'
    : 'paymentRejected'
}
