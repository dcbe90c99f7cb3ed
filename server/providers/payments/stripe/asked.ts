import Stripe from 'stripe'
import { Refusal } from '../../../platform/refusal.ts'
import { reasonOf, type Failure } from './failure.ts'

/** The provider's answer, or its error as the refusal that it is to the caller. */
export async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw toRefusal(error)
  })
}

/** Nothing where there is nothing of this id. */
export async function found<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return asked(
    answer.catch((error: unknown) => {
      if (
        error instanceof Stripe.errors.StripeInvalidRequestError &&
        error.code === 'resource_missing'
      )
        return undefined
      throw error
    }),
  )
}

/** All of a list, page by page. */
export async function* allOf<Item>(list: AsyncIterable<Item>) {
  try {
    yield* list
  } catch (error) {
    throw toRefusal(error)
  }
}

type Once<Answer> = {
  key: string
  send: (options: Stripe.RequestOptions) => Promise<Answer>
  begun?: () => Promise<Answer | undefined>
}

/**
 * Sends what may be done once. Where its key stands for other parameters, of a release before this one, it is begun anew, unless `begun`
 * finds what came of the former request.
 */
export async function once<Answer>({ key, send, begun }: Once<Answer>): Promise<Answer> {
  return asked(
    send({ idempotencyKey: key }).catch(async (error: unknown) => {
      if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error
      return (await begun?.()) ?? send({})
    }),
  )
}

export function idOf(reference: string | { id: string } | null | undefined) {
  return typeof reference === 'string' ? reference : reference?.id
}

function toRefusal(error: unknown) {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { statusCode: status, rawType: type, code, param } = error
  const reason = reasonOf({
    status,
    type,
    code,
    param,
    operation: (error.raw as Failure | undefined)?.operation,
  })
  return new Refusal(
    reason,
    reason === 'cardDeclined'
      ? { declineCode: error.decline_code || code || 'generic_decline' }
      : {},
  )
}
