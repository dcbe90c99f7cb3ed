import { Refusal } from '../platform/refusal.ts'
import { reasonOfViolation } from './violations.ts'

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
