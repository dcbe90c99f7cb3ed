import { StripeFailure } from './errors.ts'

export type KeyKind = 'secret' | 'publishable'

const keys: Record<KeyKind, string> = { secret: 'sk_test_sandbox', publishable: 'pk_test_sandbox' }

/** `given` comes as `Authorization: Bearer`, as the user name of `Basic`, or as a field called `key`. */
export function checkKey(expected: KeyKind, authorization: string | undefined, field: string | undefined) {
  const given = fromHeader(authorization) ?? field
  if (given === keys[expected]) return
  if (!given) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  throw unauthorized(`Invalid API Key provided: ${given.slice(0, 8)}****`)
}

export function secretKeyRequired(): StripeFailure {
  return unauthorized('This API call cannot be made with a publishable API key. Please use a secret API key.', 'secret_key_required')
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

function unauthorized(message: string, code?: string): StripeFailure {
  return new StripeFailure(401, { type: 'invalid_request_error', message, ...(code ? { code } : {}) })
}
