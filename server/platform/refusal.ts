import { httpStatus, refusals, type Reason, type RefusalBody } from '#contract/refusals.ts'
import { reasonOfViolation } from '../store/constraints.ts'

/** Why a call is refused. The caller sees the reason and the details; nothing else of what went wrong. */
export class Refusal extends Error {
  readonly reason: Reason
  readonly details: Record<string, unknown>

  constructor(reason: Reason, details: Record<string, unknown> = {}) {
    super(refusals[reason][1])
    this.reason = reason
    this.details = details
  }

  get status() {
    return refusals[this.reason][0]
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

/** PostgreSQL's codes for a store that is going, gone or not yet there, and for a transaction that lost to another. */
const storeAway = /^(08|57P0|57014|ECONN|ENOENT|EPIPE|ETIMEDOUT)/
const lostToAnother = /^(40001|40P01|55P03)$/

/** The refusal that an error is answered with: `internal` for a mistake of ours. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error)) return new Refusal('internal')
  if (error.name === 'BodyLimitError') return new Refusal('bodyTooLarge')
  const cause = error.cause ?? error
  const { code = '' } = cause as { code?: string }
  if (storeAway.test(code)) return new Refusal('unavailable')
  if (lostToAnother.test(code)) return new Refusal('callInProgress')
  return new Refusal(reasonOfViolation(cause) ?? 'internal')
}
