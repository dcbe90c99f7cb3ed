import type { LiveNameOfModules } from './modules.ts'

/** What may have changed. `everything`: the server may have missed changes. */
export type LiveName =
  | 'subscription'
  | 'members'
  | 'invites'
  | 'invoices'
  | 'user'
  | 'everything'
  | LiveNameOfModules

/**
 * Changes, as names and ids without data: a tab then reads again what it shows. `changes` are the
 * ids of their transactions, of which the answer to a call names its own in the header `Change-Id`.
 * A server of a former version leaves them out.
 */
export type LiveChange = { subscriptions: string[]; what: LiveName[]; changes?: string[] }

/** Why the server ends a stream. A connection that breaks gives no reason. */
export type LiveEnd = 'sessionEnded' | 'tokenExpired' | 'tooMany' | 'stopping'

/** The events of `GET /live`, as lines of JSON. From `ready` on, the tab misses no change. */
export type LiveEvent =
  | { event: 'ready' }
  | ({ event: 'changed' } & LiveChange)
  | { event: 'end'; because: LiveEnd }
