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

/** What Stripe answers as `{ error: … }`. `keep`: what was done so far stays done, as a failed charge stays on its intent. */
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

export function invalid(message: string, more: { code?: string; param?: string } = {}): StripeFailure {
  return new StripeFailure(400, { type: 'invalid_request_error', message, ...more })
}

const spoken: Record<string, string> = { payment_method: 'PaymentMethod', setup_intent: 'setupintent' }

export function missing(type: string, id: string, param = 'id'): StripeFailure {
  const message = `No such ${spoken[type] ?? type}: '${id}'`
  return new StripeFailure(404, { type: 'invalid_request_error', code: 'resource_missing', message, param })
}

export type CardProblem = { code: string; message: string; decline_code?: string; param?: string }

export function cardError(problem: CardProblem, more: Partial<FailureBody> = {}, keep = false): StripeFailure {
  return new StripeFailure(402, { type: 'card_error', ...problem, ...more }, keep)
}
