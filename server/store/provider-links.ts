import type { Db } from '../sql/database.ts'
import { providerLinks, users } from './schema.ts'
import { all, columns, first, run, some, values } from '../sql/statement.ts'
import type { User } from './users.ts'

type Link = typeof providerLinks.$inferSelect
type NewLink = Omit<Link, 'attachedUnverified' | 'createdAt'> & { now: Date }

/** False if the account is linked already, or the user to another one at the provider. */
export function add(db: Db, { provider, subject, userId, email, now }: NewLink) {
  return some(db, 'provider_link_add')`
    insert into provider_links (provider, subject, user_id, email, attached_unverified, created_at)
    values (${provider}, ${subject}, ${userId}, ${email}, (select not email_verified from users where id = ${userId}), ${now})
    on conflict do nothing`
}

export async function findUser(db: Db, provider: string, subject: string) {
  return first<User>(db, 'user_by_provider_link')`
    select ${columns(users)} from provider_links join users on users.id = user_id
    where provider = ${provider} and subject = ${subject}`
}

export async function listOf(db: Db, userId: string) {
  return all<Link>(db, 'provider_links_of_user')`
    select ${columns(providerLinks)} from provider_links where user_id = ${userId} order by created_at`
}

export function remove(db: Db, userId: string, provider: string) {
  return run(db, 'provider_link_remove')`
    delete from provider_links where user_id = ${userId} and provider = ${provider}`
}

export function removeAllOf(db: Db, userId: string) {
  return values<string>(db, 'provider_links_remove_all')`
    delete from provider_links where user_id = ${userId} returning provider`
}

/** Removes the links made before the user's address was verified, and returns their providers. */
export function removeUnverifiedOf(db: Db, userId: string) {
  return values<string>(db, 'provider_links_remove_unverified')`
    delete from provider_links where user_id = ${userId} and attached_unverified returning provider`
}

/** Marks all of a user's links as their own, because the user has verified the address. */
export function markVerifiedOf(db: Db, userId: string) {
  return run(db, 'provider_links_mark_verified')`
    update provider_links set attached_unverified = false where user_id = ${userId}`
}
