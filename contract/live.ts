/** What may have changed. `everything`: some changes may have been missed. */
export type LiveName = 'subscription' | 'members' | 'invites' | 'invoices' | 'user' | 'everything'

/** Names, never data: a tab asks again for what it shows. `subscriptions` by their ids. */
export type LiveChange = { subscriptions: string[]; what: LiveName[] }

/** Why a stream ends, where the server can still say it. */
export type LiveEnd = 'sessionEnded' | 'tokenExpired' | 'tooMany' | 'stopping'

/** The events of `GET /live`, each one a line of JSON. After `ready` the tab misses nothing. */
export type LiveEvent =
  | { event: 'ready' }
  | ({ event: 'changed' } & LiveChange)
  | { event: 'end'; because: LiveEnd }
