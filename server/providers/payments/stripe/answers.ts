import Stripe from 'stripe'
import { Refusal } from '../../../platform/refusal.ts'
import type { Page } from '../payments.ts'
import { reasonOf, type Failure } from './failure.ts'

/** Turns an error of the provider into the refusal that it means. */
export async function orRefuse<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw toRefusal(error)
  })
}

/** As `orRefuse`, and `undefined` where the provider has nothing with this id. */
export async function orUndefined<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return orRefuse(
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

/** All items of a list, page by page. */
export async function* allOf<Item>(list: AsyncIterable<Item>) {
  try {
    yield* list
  } catch (error) {
    throw toRefusal(error)
  }
}

/** Where a list begins. The SDK goes on from page to page by itself. */
export function listParams({ after, since, pageSize = 100 }: Page = {}) {
  return {
    limit: pageSize,
    ...(after !== undefined && { starting_after: after }),
    ...(since !== undefined && { created: { gte: since } }),
  }
}

type Once<Answer> = {
  key: string
  send: (options: Stripe.RequestOptions) => Promise<Answer>
  findEarlier?: () => Promise<Answer | undefined>
}

/**
 * Sends a request with an idempotency key. An earlier release may have used the key with other
 * parameters: then `findEarlier` looks for what that request created, or it is sent without a key.
 */
export async function once<Answer>({ key, send, findEarlier }: Once<Answer>): Promise<Answer> {
  return orRefuse(
    send({ idempotencyKey: key }).catch(async (error: unknown) => {
      if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error
      return (await findEarlier?.()) ?? send({})
    }),
  )
}

export function idOf(reference: string | { id: string } | null | undefined) {
  return typeof reference === 'string' ? reference : reference?.id
}

function toRefusal(error: unknown) {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { statusCode: status, rawType: type, code, param } = error
  const { operation } = (error.raw ?? {}) as Failure
  const reason = reasonOf({ status, type, code, param, operation })
  const declineCode = error.decline_code || code || 'generic_decline'
  return new Refusal(reason, reason === 'cardDeclined' ? { declineCode } : {})
}
