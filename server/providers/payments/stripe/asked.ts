import Stripe from 'stripe'
import { Refusal } from '../../../refusal.ts'

/** The provider's answer, or its error as a refusal where it has a meaning to the caller. */
export async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw toRefusal(error) ?? error
  }
}

/** Nothing where there is nothing of this id. */
export async function found<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return undefined
    throw toRefusal(error) ?? error
  }
}

export function idOf(reference: string | { id: string } | null | undefined) {
  return typeof reference === 'string' ? reference : reference?.id
}

/** What isn't there has no name only where no card was named, and the customer has none. */
function lacksCard({ code, param }: Stripe.errors.StripeInvalidRequestError) {
  return code === 'resource_missing' && param === undefined
}

function toRefusal(error: unknown) {
  const { StripeCardError, StripeConnectionError, StripeRateLimitError, StripeAPIError, StripeInvalidRequestError } = Stripe.errors
  if (error instanceof StripeCardError)
    return new Refusal('cardDeclined', { declineCode: error.decline_code || error.code || 'generic_decline' })
  if (error instanceof StripeConnectionError || error instanceof StripeRateLimitError || error instanceof StripeAPIError)
    return new Refusal('paymentsUnavailable')
  if (error instanceof StripeInvalidRequestError && error.code === 'tax_id_invalid') return new Refusal('taxIdInvalid')
  if (error instanceof StripeInvalidRequestError && error.code === 'customer_tax_location_invalid') return new Refusal('taxLocationInvalid')
  if (error instanceof StripeInvalidRequestError && (error.param === 'payment_method' || lacksCard(error)))
    return new Refusal('paymentMethodNotFound')
  return undefined
}
