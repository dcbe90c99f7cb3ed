import type { PermissionKey } from '#config/permissions.ts'

/** What the database tells the servers, in the transaction of the change: see the migration "live". */
export type Fact =
  /** `permissions` that somebody holds from now on; null: they are no longer in the project. */
  | { what: 'members'; project: string; user: string; permissions: PermissionKey[] | null }
  | { what: 'invites'; project: string; email: string }
  | { what: 'subscription' | 'invoices'; project: string }
  | { what: 'user'; user: string }
  /** It has ended. */
  | { what: 'session'; session: string }

const known: ReadonlySet<unknown> = new Set<Fact['what']>([
  'members',
  'invites',
  'subscription',
  'invoices',
  'user',
  'session',
])

/** Nothing for what a newer server's database tells and this one does not know. */
export function readFact(payload: string): Fact | undefined {
  const { what } = JSON.parse(payload) as { what: unknown }
  return known.has(what) ? (JSON.parse(payload) as Fact) : undefined
}
