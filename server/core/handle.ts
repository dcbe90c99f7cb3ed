import type { CallName, CallOutput, Calls, ParsedInput } from '#contract/calls.ts'
import type { AuthUser, Subscription } from '#contract/entities.ts'
import type { LanguageCode } from '#config/languages.ts'
import type { Services } from './services.ts'
import type { Lease } from '../store/billing.ts'
import type { Key } from '../store/idempotency.ts'

/** Where a call comes from. */
export type Visit = {
  /** The visitor's address, to be shown. */
  address: string
  /** What limits count by: see `networkOf`. */
  network: string
  userAgent: string
  /** From the cookie. */
  refreshToken: string | undefined
  keepRefreshToken: (token: string, expiresAt: Date) => void
  forgetRefreshToken: () => void
  /** From a cookie: see `server/identity/devices.ts`. */
  device: string | undefined
  keepDevice: (device: string) => void
  /** What this browser keeps of a sign-in at a provider, until it comes back from there: by a redirect, or by a form that the provider posts. */
  keepFlowSecret: (
    flow: string,
    secret: string,
    options: { expiresAt: Date; posted: boolean },
  ) => void
  takeFlowSecret: (flow: string) => string | undefined
}

export type CurrentUser = AuthUser & {
  language: LanguageCode | null
  session: { id: string; signedInAt: Date }
}

type NeedsOf<Name extends CallName> = Calls[Name]['needs']

/** What a handler reads: a subscription where the call's row needs a standing in one, a lease where its effect is `billing`. */
export type RequestOf<Name extends CallName> = {
  input: ParsedInput<Name>
  visit: Visit
  key: Key | undefined
} & (NeedsOf<Name> extends 'anyone' ? { user: CurrentUser | undefined } : { user: CurrentUser }) &
  (NeedsOf<Name> extends 'member' | 'admin' | 'owner' ? { subscription: Subscription } : unknown) &
  (Calls[Name]['effect'] extends 'billing' ? { lease: Lease } : unknown)

export type Handler<Name extends CallName> = (
  request: RequestOf<Name>,
  services: Services,
) => Promise<CallOutput<Name>>

/** Ties a handler to its row in the table of calls. Who may call and what comes in has been settled when it runs. */
export function handle<Name extends CallName>(_name: Name, handler: Handler<Name>): Handler<Name> {
  return handler
}
