import type { AccessToken } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { Settings } from '#contract/settings.ts'
import { eq, lt, sql } from 'drizzle-orm'
import { hashOf } from '../platform/ids.ts'
import { seconds } from '../platform/time.ts'
import type { Db } from '../sql/database.ts'
import { all, columns, first, run } from '../sql/statement.ts'
import { accessTokens } from './schema.ts'
import type { User } from './users.ts'

export type AccessTokenRow = typeof accessTokens.$inferSelect

type NewAccessToken = Pick<
  AccessTokenRow,
  'id' | 'name' | 'access' | 'userId' | 'subscriptionId' | 'createdAt' | 'expiresAt' | 'isEndTold'
> & { token: string; sessionId: string }

/** The token has passed the second step that the session has. */
export function add(db: Db, { token, sessionId, ...row }: NewAccessToken) {
  return run(db, 'access_token_add')`
    insert into access_tokens (id, hash, name, access, user_id, subscription_id, created_at, expires_at, is_end_told, second_step_at)
    values (${row.id}, ${hashOf(token)}, ${row.name}, ${row.access}, ${row.userId}, ${row.subscriptionId}, ${row.createdAt},
      ${row.expiresAt}, ${row.isEndTold}, (select second_step_at from sessions where id = ${sessionId}))`
}

type Listed = AccessTokenRow & { maker: string; settings: Settings | null }

const listed = sql`
  select ${columns(accessTokens)}, maker.display_name maker, s.settings
  from access_tokens join users maker on maker.id = access_tokens.user_id
    left join subscriptions s on s.id = access_tokens.subscription_id`

/** A person's, the newest first. */
export async function listOf(db: Db, userId: string) {
  const rows = await all<Listed>(db, 'access_tokens_of_user')`
    ${listed} where access_tokens.user_id = ${userId}
    order by access_tokens.created_at desc, access_tokens.id`
  return rows.map(toEntity)
}

/** Those that are for one project alone, whoever made them, the newest first. */
export async function listIn(db: Db, subscriptionId: string) {
  const rows = await all<Listed>(db, 'access_tokens_of_subscription')`
    ${listed} where access_tokens.subscription_id = ${subscriptionId}
    order by access_tokens.created_at desc, access_tokens.id`
  return rows.map(toEntity)
}

export async function find(db: Db, id: string) {
  return first<AccessTokenRow>(db, 'access_token')`
    select ${columns(accessTokens)} from access_tokens where id = ${id}`
}

/** False if somebody else ended it first. */
export async function remove(db: Db, { id }: { id: string }) {
  const { rowCount } = await db.delete(accessTokens).where(eq(accessTokens.id, id))
  return rowCount === 1
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

type EndingSoon = Pick<AccessTokenRow, 'id' | 'name' | 'subscriptionId' | 'expiresAt'> &
  Pick<User, 'email' | 'displayName' | 'language'>

/** Tokens that end by then and whose makers have not been told, as told from now on. */
export function takeEnding(db: Db, { by, now }: { by: Date; now: Date }) {
  return all<EndingSoon>(db, 'access_tokens_ending')`
    update access_tokens t set is_end_told = true from users u
    where t.expires_at > ${now} and t.expires_at <= ${by} and not is_end_told and u.id = t.user_id
    returning t.id, t.name, t.subscription_id "subscriptionId", t.expires_at "expiresAt", u.email,
      u.display_name "displayName", u.language`
}

export async function removeExpired(db: Db, before: Date) {
  await db.delete(accessTokens).where(lt(accessTokens.expiresAt, before))
}

function toEntity({ maker, settings, ...row }: Listed): AccessToken {
  return {
    id: row.id,
    name: row.name,
    access: row.access,
    subscription_id: row.subscriptionId,
    subscription_name: settings && projectName(settings),
    maker: { id: row.userId, name: maker },
    created: seconds(row.createdAt),
    expires: seconds(row.expiresAt),
    last_used: row.lastUsedAt && seconds(row.lastUsedAt),
    last_network: row.lastNetwork,
    uses: row.uses,
  }
}
