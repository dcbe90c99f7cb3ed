import { refusals, type Reason, type RefusalBody } from '#contract/refusals.ts'
import { httpStatus } from '#contract/rows.ts'

/** An error that refuses a call. The caller sees only the reason, its text and the details. */
export class Refusal extends Error {
  readonly reason: Reason
  readonly details: Record<string, unknown>
  /** The rate limit that was exceeded. Only the operator sees it. */
  readonly limit: string | undefined

  constructor(reason: Reason, details: Record<string, unknown> = {}, limit?: string) {
    super(refusals[reason].text)
    this.reason = reason
    this.details = details
    this.limit = limit
  }

  get status() {
    return refusals[this.reason].status
  }

  get httpStatus() {
    return httpStatus[this.status]
  }

  toBody(): { error: RefusalBody } {
    return {
      error: {
        status: this.status.toUpperCase().replaceAll('-', '_'),
        message: this.message,
        details: { reason: this.reason, ...this.details },
      },
    }
  }
}

export function isRefusal(error: unknown, ...reasons: Reason[]): error is Refusal {
  return error instanceof Refusal && reasons.includes(error.reason)
}
