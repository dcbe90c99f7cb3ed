import type { CallName } from '#contract/calls.ts'
import * as activity from '../activity/calls.ts'
import * as cards from '../billing/card-calls.ts'
import * as invoices from '../billing/invoice-calls.ts'
import * as billingPlans from '../billing/plan-calls.ts'
import * as previews from '../billing/preview-calls.ts'
import type { Handler } from '../core/handle.ts'
import * as actionCodes from '../identity/action-code-calls.ts'
import * as accounts from '../identity/account-calls.ts'
import * as sessions from '../identity/session-calls.ts'
import * as signIn from '../identity/sign-in-calls.ts'
import * as invites from '../invites/calls.ts'
import * as members from '../members/calls.ts'
import * as profile from '../profile/calls.ts'
import * as subscriptions from '../subscriptions/calls.ts'

/**
 * The function of every call. A call without one does not compile. A new room adds its line here.
 */
export const handlers: { [Name in CallName]: Handler<Name> } = {
  ...accounts,
  ...actionCodes,
  ...activity,
  ...billingPlans,
  ...cards,
  ...invites,
  ...invoices,
  ...members,
  ...previews,
  ...profile,
  ...sessions,
  ...signIn,
  ...subscriptions,
}
