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
  return new Refusal((violation.test(code) && violations[constraint]) || 'internal')
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

  // the caller's account was deleted
  passwords_user_id_users_id_fk: 'sessionEnded',
  provider_links_user_id_users_id_fk: 'sessionEnded',
  provider_flows_user_id_users_id_fk: 'sessionEnded',
  action_codes_user_id_users_id_fk: 'sessionEnded',
  idempotency_keys_user_id_users_id_fk: 'sessionEnded',
  subscriptions_owner_id_users_id_fk: 'sessionEnded',
  members_user_id_users_id_fk: 'sessionEnded',
  invites_host_id_users_id_fk: 'sessionEnded',
  activity_actor_id_users_id_fk: 'sessionEnded',
  cards_added_by_users_id_fk: 'sessionEnded',

  // the caller has signed out
  session_tokens_session_id_sessions_id_fk: 'sessionEnded',
  provider_flows_session_id_sessions_id_fk: 'sessionEnded',

  // another person's account was deleted
  activity_subject_id_users_id_fk: 'userNotFound',

  // a subscription that was never paid for was removed
  members_subscription_id_subscriptions_id_fk: 'subscriptionNotFound',
  invites_subscription_id_subscriptions_id_fk: 'subscriptionNotFound',
  activity_subscription_id_subscriptions_id_fk: 'subscriptionNotFound',
  cards_subscription_id_subscriptions_id_fk: 'subscriptionNotFound',
  invoices_subscription_id_subscriptions_id_fk: 'subscriptionNotFound',
}
