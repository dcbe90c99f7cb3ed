/** What may have changed. `everything`: the server can't say what was missed. */
export type LiveName = 'subscription' | 'members' | 'invites' | 'invoices' | 'user' | 'everything'

/** Names of what changed, never data: the app then reads it anew. `projects`: subscription ids. */
export type LiveChange = { projects: string[]; what: LiveName[] }

/** Why the server ends a stream, if it can still say so. */
export type LiveEnd = { because: 'sessionEnded' | 'tokenExpired' | 'tooMany' | 'stopping' }

/**
 * The server-sent events of `GET /live` and their JSON data. After `ready`, no change is missed.
 */
export type LiveEvents = { ready: Record<string, never>; changed: LiveChange; end: LiveEnd }
