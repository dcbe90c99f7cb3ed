import type { Reason } from '#contract/refusals.ts'
import Stripe from 'stripe'
import { isRefusal, Refusal } from '../../../platform/refusal.ts'
import type { Page } from '../payments.ts'
import { reasonOf, type Failure } from './failure.ts'

type Methods = Record<string, (...given: never[]) => Promise<unknown> | AsyncIterable<unknown>>

/** Returns the same methods, which throw our refusals instead of Stripe's errors. */
export function refusing<Given extends Methods>(methods: Given): Given {
  const wrapped = Object.entries(methods).map(([name, method]) => {
    const refuses = (...given: never[]) => {
      const answer = method(...given)
      return answer instanceof Promise ? answer.catch(refuse) : listOrRefuse(answer)
    }
    return [name, refuses]
  })
  return Object.fromEntries(wrapped) as Given
}

async function* listOrRefuse(list: AsyncIterable<unknown>) {
  try {
    yield* list
  } catch (error) {
    refuse(error)
  }
}

/** Whether the refusal that stands for a provider's error has this reason. */
export function means(error: unknown, reason: Reason) {
  return isRefusal(toRefusal(error), reason)
}

/** Returns undefined if the provider has nothing with this id. */
export async function orUndefined<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    const isMissing =
      error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
    if (isMissing) return undefined
    throw error
  })
}

/** Returns the parameters of a list request. The SDK reads all further pages by itself. */
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
 * Stripe refuses an idempotency key that an earlier release used with other parameters. Then
 * `findEarlier` looks for what the earlier request created, or the request is sent without a key.
 */
export async function once<Answer>({ key, send, findEarlier }: Once<Answer>): Promise<Answer> {
  return send({ idempotencyKey: key }).catch(async (error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error
    return (await findEarlier?.()) ?? send({})
  })
}

export function idOf(reference: string | { id: string } | null | undefined) {
  return typeof reference === 'string' ? reference : reference?.id
}

function refuse(error: unknown): never {
  throw toRefusal(error)
}

function toRefusal(error: unknown) {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { statusCode: status, rawType: type, code, param } = error
  const { operation } = (error.raw ?? {}) as Failure
  const reason = reasonOf({ status, type, code, param, operation })
  const declineCode = error.decline_code || code || 'generic_decline'
  return new Refusal(reason, reason === 'cardDeclined' ? { declineCode } : {})
}
