import type { AccessToken } from '#contract/entities.ts'
import { sql, type SQL } from 'drizzle-orm'
import { hashOf } from '../platform/ids.ts'
import type { Db } from '../sql/database.ts'
import { all, columns, first, run, some } from '../sql/statement.ts'
import { accessTokens } from './schema.ts'
import type { User } from './users.ts'

type AccessTokenRow = typeof accessTokens.$inferSelect
/** What a call knows of the token that makes it. */
export type CurrentToken = Pick<AccessTokenRow, 'id' | 'name' | 'access' | 'subscriptionId'>

type NewAccessToken = CurrentToken &
  Pick<AccessTokenRow, 'userId' | 'createdAt' | 'expiresAt' | 'isEndTold'> & {
    token: string
    sessionId: string
  }

/** The token has passed the second step that the session has. */
export function add(db: Db, { token, sessionId, ...row }: NewAccessToken) {
  return run(db, 'access_token_add')`
    insert into access_tokens (id, hash, name, access, user_id, subscription_id, created_at, expires_at, is_end_told, second_step_at)
    values (${row.id}, ${hashOf(token)}, ${row.name}, ${row.access}, ${row.userId}, ${row.subscriptionId}, ${row.createdAt},
      ${row.expiresAt}, ${row.isEndTold}, (select second_step_at from sessions where id = ${sessionId}))`
}

const listed = sql`
  select t.id, t.name, access, subscription_id, case when s.id is not null then coalesce(settings ->> 'name', '') end subscription_name,
    json_build_object('id', u.id, 'name', u.display_name) maker, ${epoch(sql`t.created_at`)} created,
    ${epoch(sql`expires_at`)} expires, ${epoch(sql`last_used_at`)} last_used, last_network, uses
  from access_tokens t join users u on u.id = t.user_id left join subscriptions s on s.id = subscription_id`
const newestFirst = sql`order by t.created_at desc, t.id`

export function listOf(db: Db, userId: string) {
  return all<AccessToken>(db, 'access_tokens_of_user')`
    ${listed} where t.user_id = ${userId} ${newestFirst}`
}

/** Those that are for one project alone, whoever made them. */
export function listIn(db: Db, subscriptionId: string) {
  return all<AccessToken>(db, 'access_tokens_of_subscription')`
    ${listed} where t.subscription_id = ${subscriptionId} ${newestFirst}`
}

export async function find(db: Db, id: string) {
  return first<AccessTokenRow>(db, 'access_token')`
    select ${columns(accessTokens)} from access_tokens where id = ${id}`
}

/** False if somebody else ended it first. */
export function remove(db: Db, { id }: { id: string }) {
  return some(db, 'access_token_remove')`delete from access_tokens where id = ${id}`
}

type Ending = { userId: string; subscriptionId: string | null; now: Date }

/** Removes a person's tokens, or those for one project, and returns those that worked until now. */
export function removeAllOf(db: Db, { userId, subscriptionId, now }: Ending) {
  return all<Pick<AccessTokenRow, 'name' | 'subscriptionId'>>(db, 'access_tokens_end')`
    with removed as (
      delete from access_tokens
      where user_id = ${userId} and (${subscriptionId}::text is null or subscription_id = ${subscriptionId})
      returning name, subscription_id, created_at, expires_at
    )
    select name, subscription_id "subscriptionId" from removed where expires_at > ${now} order by created_at`
}

type Used = { id: string; uses: number; at: Date; network: string }

export function addUses(db: Db, { id, uses, at, network }: Used) {
  return run(db, 'access_token_use')`
    update access_tokens set uses = uses + ${uses}, last_network = ${network},
      last_used_at = greatest(last_used_at, ${at}::timestamptz)
    where id = ${id}`
}

type EndingSoon = Pick<AccessTokenRow, 'id' | 'name' | 'subscriptionId' | 'userId' | 'expiresAt'> &
  Pick<User, 'email' | 'displayName' | 'language'>

/** Tokens that end by then and whose makers have not been told, as told from now on. */
export function takeEnding(db: Db, { by, now }: { by: Date; now: Date }) {
  return all<EndingSoon>(db, 'access_tokens_ending')`
    update access_tokens t set is_end_told = true from users u
    where t.expires_at > ${now} and t.expires_at <= ${by} and not is_end_told
      and u.id = t.user_id and u.claimed
    returning t.id, t.name, t.subscription_id "subscriptionId", t.user_id "userId", t.expires_at "expiresAt", u.email,
      u.display_name "displayName", u.language`
}

export function removeExpired(db: Db, before: Date) {
  return run(db, 'access_tokens_remove_expired')`
    delete from access_tokens where expires_at < ${before}`
}

/** Whole seconds, rounded down. */
function epoch(time: SQL) {
  return sql`floor(extract(epoch from ${time}))::int`
}
