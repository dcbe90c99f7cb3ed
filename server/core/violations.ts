import type { Reason } from '#contract/refusals.ts'

/**
 * By the name of a constraint, the reason for refusing a call that loses a race which only the database sees: since it looked, what it
 * refers to has gone, or what it takes was taken. Any other constraint is broken by nothing but a mistake of ours.
 */
export const reasons: Record<string, Reason> = {
  users_email_unique: 'auth/email-already-in-use',
  members_subscription_id_user_id_pk: 'alreadyMember',

  // the caller's account was deleted meanwhile
  sessions_user_id_users_id_fk: 'auth/invalid-credential',
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

  // they have signed out
  session_tokens_session_id_sessions_id_fk: 'sessionEnded',
  provider_flows_session_id_sessions_id_fk: 'sessionEnded',

  // somebody else has deleted theirs
  activity_subject_id_users_id_fk: 'userNotFound',

  // what was never paid for is gone
  members_subscription_id_subscriptions_id_fk: 'subscriptionNotFound',
  invites_subscription_id_subscriptions_id_fk: 'subscriptionNotFound',
  activity_subscription_id_subscriptions_id_fk: 'subscriptionNotFound',
  cards_subscription_id_subscriptions_id_fk: 'subscriptionNotFound',
}

/** Unique, and foreign key. */
const violated = new Set(['23505', '23503'])

/** Why a statement was refused that broke one of these constraints. */
export function reasonOfViolation(error: unknown): Reason | undefined {
  const { code = '', constraint = '' } = (error ?? {}) as { code?: string; constraint?: string }
  return violated.has(code) ? reasons[constraint] : undefined
}
