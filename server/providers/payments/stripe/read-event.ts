import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { ProviderEvent } from '../payments.ts'

/** Nothing where the signature is wrong, or where the body is signed and still no event: our own tools sign, too. */
export function readEvent(
  stripe: Stripe,
  { body, signature, secret }: { body: string; signature: string; secret: string },
) {
  try {
    return toEvent(stripe.webhooks.constructEvent(body, signature, secret))
  } catch {
    // Whatever it throws is about the body or the signature: some malformed ones it says in errors of no kind of its own.
    return undefined
  }
}

const storable = z.string().check(z.maxLength(255), z.regex(/^[^\0]*$/))
const eventShape = z.object({
  id: storable,
  type: storable,
  data: z.object({ object: z.object({ id: z.optional(storable), object: storable }) }),
})

export function toEvent(event: unknown): ProviderEvent | undefined {
  const { success, data } = eventShape.safeParse(event)
  if (!success) return undefined
  const { object } = data.data
  return { id: data.id, type: data.type, objectType: object.object, objectId: object.id }
}
