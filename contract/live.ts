/** What may have changed. `everything`: nobody knows what was missed. */
export type LiveName = 'subscription' | 'members' | 'invites' | 'invoices' | 'user' | 'everything'

/** Names, never data; who wants to know asks. `projects` by their ids. */
export type LiveChange = { projects: string[]; what: LiveName[] }

/** Why there is no more, where the server can still say it. */
export type LiveEnd = { because: 'sessionEnded' | 'tokenExpired' | 'tooMany' | 'stopping' }

/** The server-sent events of `GET /live`, with what they carry as JSON. After `ready` nothing is missed. */
export type LiveEvents = { ready: Record<string, never>; changed: LiveChange; end: LiveEnd }
