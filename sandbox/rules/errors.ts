import { missingByParameter } from './refusals.ts'

export type FailureBody = {
  type: 'card_error' | 'invalid_request_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  payment_intent?: object
  setup_intent?: object
  payment_method?: object
}

/**
 * An error that becomes the answer `{ error: … }`. With `keep`, the work before it is committed,
 * for example the failed charge of an intent.
 */
export class StripeFailure extends Error {
  readonly status: number
  readonly body: FailureBody
  readonly keep: boolean

  constructor(status: number, body: FailureBody, keep = false) {
    super(body.message)
    this.status = status
    this.body = body
    this.keep = keep
  }
}

type Fault = { status: number; message: string; type?: FailureBody['type']; code?: string }
type Rule = { message: string; code?: string; param?: string }

/** The error for a refusal. Fills in placeholders in its message such as `{id}`. */
export function refused({ message, code, param }: Rule, values: Record<string, string> = {}) {
  return invalid(filled(message, values), { ...(code && { code }), ...(param && { param }) })
}

/** The error for one of the `faults` in `refusals.ts`. */
export function failure({
  status,
  type = 'invalid_request_error',
  code,
  message,
}: Fault): StripeFailure {
  return new StripeFailure(status, { type, message, ...(code && { code }) })
}

export function filled(message: string, values: Record<string, string>): string {
  return message.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

export function invalid(message: string, more: { code?: string; param?: string } = {}) {
  return new StripeFailure(400, { type: 'invalid_request_error', message, ...more })
}

export function missingParam(param: string): StripeFailure {
  return invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

const spoken: Record<string, string> = {
  payment_method: 'PaymentMethod',
  promotion_code: 'promotion code',
  setup_intent: 'setupintent',
}

/** The error "No such …" for an id in the parameter `param` or, without `param`, in the path. */
export function missing(type: string, id: string, param?: string): StripeFailure {
  const message = `No such ${spoken[type] ?? type}: '${id}'`
  const body = { type: 'invalid_request_error', code: 'resource_missing', message } as const
  return param === undefined
    ? new StripeFailure(404, body)
    : new StripeFailure(missingByParameter.status, { ...body, param })
}

export type CardProblem = { code: string; message: string; decline_code?: string; param?: string }

export function cardError(problem: CardProblem, more: Partial<FailureBody> = {}, keep = false) {
  return new StripeFailure(402, { type: 'card_error', ...problem, ...more }, keep)
}
