import type { CallName, CallOutput, Calls, ParsedInput } from '#contract/calls.ts'
import type { AuthUser, Subscription } from '#contract/entities.ts'
import type { LanguageCode } from '#config/languages.ts'
import type { Services } from './services.ts'
import type { Lease } from '../store/billing.ts'
import type { Key } from '../store/idempotency.ts'

/** Where a request comes from, and its cookies. */
export type Visit = {
  /** The visitor's address, for showing. */
  address: string
  /** What rate limits count by: see `networkOf`. */
  network: string
  userAgent: string
  refreshToken: string | undefined
  keepRefreshToken: (token: string, expiresAt: Date) => void
  forgetRefreshToken: () => void
  /** See server/identity/devices.ts. */
  device: string | undefined
  keepDevice: (device: string) => void
  /** The browser keeps it until it comes back from the sign-in provider. `posted`: by a form. */
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

/**
 * What a call's function gets: a subscription if its row asks for a standing in one, a lease on its
 * billing if its effect is `billing`.
 */
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

/** Ties a call's function to its row. The pipeline has checked the caller and the input by then. */
export function handle<Name extends CallName>(_name: Name, handler: Handler<Name>): Handler<Name> {
  return handler
}
