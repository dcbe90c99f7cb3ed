import type { Reason } from '#contract/refusals.ts'
import { Refusal } from '../platform/refusal.ts'

/** Turns an error into the refusal that the caller gets: `internal` for a mistake of ours. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error)) return new Refusal('internal')
  if (error.name === 'BodyLimitError') return new Refusal('bodyTooLarge')
  // Drizzle wraps the errors of `pg`.
  const { code = '', constraint = '', message } = (error.cause ?? error) as PostgresError
  if (cannotServe.test(code) || hasNoConnection.test(message)) return new Refusal('unavailable')
  if (lostRace.test(code)) return new Refusal('callInProgress')
  return new Refusal((violation.test(code) && reasonOf(constraint)) || 'internal')
}

/** Whether the same may succeed once the database can be used again. */
export function isUnavailable(error: unknown) {
  return toRefusal(error).reason === 'unavailable'
}

/** Frees or renews what expires by itself, and leaves it to that while the database is away. */
export async function orExpires(change: Promise<unknown>) {
  await change.catch((error: unknown) => {
    if (!isUnavailable(error)) throw error
  })
}

type PostgresError = { message: string; code?: string; constraint?: string }

/**
 * Error codes of PostgreSQL and Node: no connection, a canceled query (57014), a transaction that was
 * idle for too long (25P03), a database that is read-only (25006), full or out of connections (53),
 * or whose disk fails (58).
 */
const cannotServe =
  /^(08|25006|25P03|53|57P0|57014|58|ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ETIMEDOUT)/
/** Messages of `pg` about a connection that it has lost or did not get, which have no code. */
const hasNoConnection =
  /^(Connection terminated|Client (was closed|has encountered)|Query read timeout|timeout exceeded when trying to connect)/
const lostRace = /^(40001|40P01|55P03)$/
const violation = /^(23505|23503)$/

/** Constraints that a call breaks if another one is faster. Breaking others is our mistake. */
export const violations: Record<string, Reason> = {
  users_email_unique: 'auth/email-already-in-use',
  members_subscription_id_user_id_pk: 'alreadyMember',

  // the account was disabled or deleted, or has new credentials: see `add` in store/sessions.ts
  sessions_user_id_users_id_fk: 'auth/invalid-credential',

  // another person's account was deleted
  activity_subject_id_users_id_fk: 'userNotFound',
}

/** The row that a new row of any table refers to, also of a module's, is gone. */
const gone: [end: string, reason: Reason][] = [
  // the caller's account was deleted, or the caller has signed out
  ['_users_id_fk', 'sessionEnded'],
  ['_sessions_id_fk', 'sessionEnded'],
  // a subscription that was never paid for was removed
  ['_subscriptions_id_fk', 'subscriptionNotFound'],
]

export function reasonOf(constraint: string) {
  return violations[constraint] ?? gone.find(([end]) => constraint.endsWith(end))?.[1]
}
