import type { ProviderSubscriptionId, SubscriptionId } from '../platform/ids.ts'
import type { Db } from '../sql/database.ts'
import { all } from '../sql/statement.ts'
import type { User } from './users.ts'

// What an operator's import looks for before it adds people and projects from elsewhere.

type Account = Pick<User, 'id' | 'email' | 'claimed'>

/** The users with one of these ids or addresses. */
export function findUsers(db: Db, { ids, emails }: { ids: string[]; emails: string[] }) {
  return all<Account>(db, 'moving_users')`
    select id, email, claimed from users where id = any(${ids}::text[]) or email = any(${emails}::text[])`
}

type Project = { id: SubscriptionId; providerSubscriptionId: ProviderSubscriptionId | null }

/** The subscriptions with one of these ids, of ours or of the payment provider. */
export function findProjects(db: Db, { ids, paidBy }: { ids: string[]; paidBy: string[] }) {
  return all<Project>(db, 'moving_projects')`
    select id, stripe_subscription_id "providerSubscriptionId" from subscriptions
    where id = any(${ids}::text[]) or stripe_subscription_id = any(${paidBy}::text[])`
}

type Link = { provider: string; subject: string; userId: string }

/** The links to accounts of sign-in providers with one of these subjects. */
export function findLinks(db: Db, subjects: string[]) {
  return all<Link>(db, 'moving_links')`
    select provider, subject, user_id "userId" from provider_links where subject = any(${subjects}::text[])`
}
