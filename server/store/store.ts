import * as actionCodes from './action-codes.ts'
import * as activity from './activity.ts'
import * as billing from './billing.ts'
import * as cards from './cards.ts'
import type { Db } from './database.ts'
import * as idempotency from './idempotency.ts'
import * as installation from './installation.ts'
import * as invites from './invites.ts'
import * as invoices from './invoices.ts'
import * as keptMails from './kept-mails.ts'
import * as members from './members.ts'
import * as providerEvents from './provider-events.ts'
import * as providerFlows from './provider-flows.ts'
import * as providerLinks from './provider-links.ts'
import * as sessions from './sessions.ts'
import * as subscriptions from './subscriptions.ts'
import * as users from './users.ts'

export type Store = ReturnType<typeof openStore>

/** All queries and changes, on the pool or in one transaction. */
export function openStore(db: Db) {
  return {
    actionCodes: bind(db, actionCodes),
    activity: bind(db, activity),
    billing: bind(db, billing),
    cards: bind(db, cards),
    idempotency: bind(db, idempotency),
    installation: bind(db, installation),
    invites: bind(db, invites),
    invoices: bind(db, invoices),
    keptMails: bind(db, keptMails),
    members: bind(db, members),
    providerEvents: bind(db, providerEvents),
    providerFlows: bind(db, providerFlows),
    providerLinks: bind(db, providerLinks),
    sessions: bind(db, sessions),
    subscriptions: bind(db, subscriptions),
    users: bind(db, users),
  }
}

type AskedOn<Fn> = Fn extends (db: Db, ...args: infer Args) => infer Answer
  ? (...args: Args) => Answer
  : never

function bind<Module extends Record<string, (db: Db, ...args: never[]) => unknown>>(
  db: Db,
  module: Module,
) {
  return Object.fromEntries(
    Object.entries(module).map(([name, ask]) => [name, (...args: never[]) => ask(db, ...args)]),
  ) as {
    [Name in keyof Module]: AskedOn<Module[Name]>
  }
}
