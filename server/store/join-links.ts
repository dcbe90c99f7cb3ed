import type { Settings } from '#contract/settings.ts'
import { hashOf } from '../platform/ids.ts'
import type { Db } from '../sql/database.ts'
import { all, first, run, some } from '../sql/statement.ts'
import { joinLinks } from './schema.ts'

type Row = typeof joinLinks.$inferSelect
type NewLink = Omit<Row, 'code' | 'codeHash'> & { code: string; sealed: string }

/** Replaces the link of the subscription, if it has one. */
export function put(db: Db, { code, sealed, ...link }: NewLink) {
  const { subscriptionId, hostId, permissions, usesLeft, expiresAt } = link
  return run(db, 'join_link_put')`
    insert into join_links (subscription_id, host_id, code_hash, code, permissions, uses_left, expires_at)
    values (${subscriptionId}, ${hostId}, ${hashOf(code)}, ${sealed}, ${permissions}, ${usesLeft}, ${expiresAt})
    on conflict (subscription_id) do update set host_id = excluded.host_id, code_hash = excluded.code_hash, code = excluded.code,
      permissions = excluded.permissions, uses_left = excluded.uses_left, expires_at = excluded.expires_at`
}

type Shown = Pick<Row, 'code' | 'permissions' | 'usesLeft' | 'expiresAt'> & { host: string }

export async function find(db: Db, subscriptionId: string) {
  return first<Shown>(db, 'join_link')`
    select code, permissions, uses_left "usesLeft", expires_at "expiresAt", display_name host
    from join_links join users on users.id = host_id where subscription_id = ${subscriptionId}`
}

type Opened = Pick<Row, 'subscriptionId' | 'hostId' | 'permissions' | 'usesLeft' | 'expiresAt'> & {
  host: string
  settings: Settings
}

export async function findByCode(db: Db, code: string) {
  return first<Opened>(db, 'join_link_by_code')`
    select subscription_id "subscriptionId", host_id "hostId", permissions, uses_left "usesLeft", expires_at "expiresAt",
      display_name host, settings
    from join_links join users on users.id = host_id join subscriptions on subscriptions.id = subscription_id
    where code_hash = ${hashOf(code)}`
}

/** The caller has locked the subscription. */
export function countUse(db: Db, subscriptionId: string) {
  return run(db, 'join_link_use')`
    update join_links set uses_left = uses_left - 1 where subscription_id = ${subscriptionId}`
}

/** False if there is none. */
export function remove(db: Db, subscriptionId: string) {
  return some(db, 'join_link_remove')`
    delete from join_links where subscription_id = ${subscriptionId}`
}

type OfHost = { hostId: string; subscriptionId: string | null }

/** Removes the links that a person made, to one subscription or to all, and returns which. */
export function removeAllOf(db: Db, { hostId, subscriptionId }: OfHost) {
  return all<Pick<Row, 'subscriptionId'>>(db, 'join_links_end')`
    delete from join_links
    where host_id = ${hostId} and (${subscriptionId}::text is null or subscription_id = ${subscriptionId})
    returning subscription_id "subscriptionId"`
}

/** What a person's export has of them. */
export function listOf(db: Db, hostId: string) {
  return all<{ subscription_id: string }>(db, 'join_links_of_host')`
    select subscription_id, permissions, expires_at expires
    from join_links where host_id = ${hostId} order by subscription_id`
}

/** Some sealed codes, in the order of their subscriptions, whose ids they have. */
export function listSealed(db: Db, after: string, count: number) {
  return all<{ id: string; secret: string }>(db, 'join_links_sealed')`
    select subscription_id id, code secret from join_links
    where subscription_id > ${after} order by subscription_id limit ${count}`
}

type Resealed = { id: string; from: string; to: string }

export function reseal(db: Db, { id, from, to }: Resealed) {
  return run(db, 'join_link_reseal')`
    update join_links set code = ${to} where subscription_id = ${id} and code = ${from}`
}
