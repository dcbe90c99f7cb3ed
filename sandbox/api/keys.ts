import { failure, type StripeFailure } from '../rules/errors.ts'

export type KeyKind = 'secret' | 'publishable'

const keys: Record<KeyKind, RegExp> = { secret: /^(sk|rk)_test_\w+$/, publishable: /^pk_test_\w+$/ }

/** Refuses a request without a test key of this kind in `Authorization` or the field `key`. */
export function checkKey(
  expected: KeyKind,
  authorization: string | undefined,
  field: string | undefined,
) {
  const given = fromHeader(authorization) ?? field
  if (given && keys[expected].test(given)) return
  if (!given) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  throw unauthorized(`Invalid API Key provided: ${given.slice(0, 8)}****`)
}

export function secretKeyRequired(): StripeFailure {
  return unauthorized(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  )
}

/** Whether the header `Authorization` contains a publishable key. */
export function isPublishable(authorization: string | undefined): boolean {
  return keys.publishable.test(fromHeader(authorization) ?? '')
}

function fromHeader(authorization: string | undefined): string | undefined {
  const [scheme, value] = authorization?.split(' ') ?? []
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme?.toLowerCase() === 'basic')
    return Buffer.from(value ?? '', 'base64')
      .toString()
      .split(':')[0]
  return undefined
}

function unauthorized(message: string, code?: string) {
  return failure({ status: 401, message, ...(code && { code }) })
}
