import { settingsFields } from '#config/settings.ts'
import * as z from 'zod/mini'
import { activityAreas } from './activity.ts'
import type {
  ActionCodeMode,
  Activity,
  AuthUser,
  Invite,
  Invoice,
  OwnPaymentMethod,
  PaymentMethod,
  PlanChangePreview,
  ProjectBilling,
  Seats,
  Session,
  Subscription,
  SubscriptionUser,
  UserRecord,
  VerifiedAccount,
} from './entities.ts'
import {
  billingDetails,
  billingInfo,
  code,
  email,
  id,
  language,
  newPassword,
  page,
  pageSize,
  password,
  payerPlace,
  permissionKeys,
  personName,
  optionalPage,
  search,
  subscriptionId,
  taxId,
} from './fields.ts'
import { settingsSchema } from './settings.ts'

/** Who may make a call. `member`, `admin` and `owner` are of the subscription that the input names. */
export type Needs = 'anyone' | 'signedIn' | 'member' | 'admin' | 'owner'

/**
 * What a call does to the store, and so how it is run. `read`: nothing. `write`: everything in one transaction, which has locked the
 * subscription's row, if there is one, before the caller's standing is judged. `external`: it talks to a provider or works long in
 * between, and opens its own transactions. `billing`: the same, but one at a time for a subscription, on every server; the caller's
 * standing is judged when it is its turn.
 */
export type Effect = 'read' | 'write' | 'external' | 'billing'

/**
 * `secret`: what comes in or goes out opens something, so that neither a hash of the request nor the answer is kept, and the call takes no
 * Idempotency-Key. Nor does one that anyone may make: its answer may be a sign-in. `perSession`: its limit is counted for each session, not
 * for the account, so that a thief's session can't use up what would end it.
 */
export type CallRow = {
  needs: Needs
  effect: Effect
  onlyActive?: true
  secret?: true
  perSession?: true
  input: z.ZodMiniObject
  output: unknown
}

/** Opaque: what a preview was answered with. */
const quote = z.string().check(z.minLength(1), z.maxLength(200))
const nothing = z.strictObject({})
const done = gives<Record<string, never>>()
/**
 * With `clientSecret` the buyer's bank wants to ask them first. It is kept for an Idempotency-Key: a buyer whose browser lost the answer
 * can't finish the payment without it, and all it opens is that one payment. With `processing` the bank still works on it.
 */
const challenged = gives<{ clientSecret?: string; processing?: boolean }>()
const signedIn = gives<{ user: AuthUser; token: string; expiresIn: number }>()

export const calls = {
  // identity
  signUp: {
    needs: 'anyone',
    effect: 'external',
    input: z.strictObject({
      fullName: personName,
      email,
      password: newPassword,
      language: z.optional(language),
    }),
    output: signedIn,
  },
  signIn: {
    needs: 'anyone',
    effect: 'external',
    input: z.strictObject({ email, password }),
    output: signedIn,
  },
  refreshSession: { needs: 'anyone', effect: 'external', input: nothing, output: signedIn },
  signOut: { needs: 'signedIn', effect: 'write', perSession: true, input: nothing, output: done },
  sendVerificationEmail: { needs: 'signedIn', effect: 'write', input: nothing, output: done },
  sendPasswordResetEmail: {
    needs: 'anyone',
    effect: 'external',
    input: z.strictObject({ email }),
    output: done,
  },
  /** `providers`: of a reset, the names of other ways in that the account has. */
  checkActionCode: {
    needs: 'anyone',
    effect: 'read',
    input: z.strictObject({ oobCode: code }),
    output: gives<{
      mode: ActionCodeMode
      email: string
      newEmail?: string
      providers?: string[]
    }>(),
  },
  /**
   * With `account` where the link was one to verify an address; a used one is refused with the same `account` as long as it lives.
   * `unlinked`: the names of providers that were linked before, which can't sign in to the account any more.
   */
  applyActionCode: {
    needs: 'anyone',
    effect: 'write',
    input: z.strictObject({ oobCode: code }),
    output: gives<{ account?: VerifiedAccount; unlinked?: string[] }>(),
  },
  /** From the holder of a verification link: deletes the account that somebody else made with their address. */
  rejectVerification: {
    needs: 'anyone',
    effect: 'write',
    input: z.strictObject({ oobCode: code }),
    output: done,
  },
  reauthenticate: {
    needs: 'signedIn',
    effect: 'external',
    perSession: true,
    secret: true,
    input: z.strictObject({ password }),
    output: done,
  },
  updateEmail: {
    needs: 'signedIn',
    effect: 'external',
    input: z.strictObject({ newEmail: email }),
    output: done,
  },
  updatePassword: {
    needs: 'signedIn',
    effect: 'external',
    perSession: true,
    secret: true,
    input: z.strictObject({ newPassword }),
    output: done,
  },
  deleteAccount: {
    needs: 'signedIn',
    effect: 'external',
    perSession: true,
    input: z.strictObject({ confirmationId: id }),
    output: done,
  },
  listSessions: {
    needs: 'signedIn',
    effect: 'read',
    input: nothing,
    output: gives<{ sessions: Session[] }>(),
  },
  revokeSession: {
    needs: 'signedIn',
    effect: 'write',
    perSession: true,
    input: z.strictObject({ sessionId: id }),
    output: done,
  },
  revokeOtherSessions: {
    needs: 'signedIn',
    effect: 'write',
    perSession: true,
    input: nothing,
    output: done,
  },
  /** Where to open the provider's window for somebody who is signed in; it comes back to this browser alone. */
  startProviderFlow: {
    needs: 'signedIn',
    effect: 'external',
    secret: true,
    input: z.strictObject({
      provider: code,
      intent: z.enum(['link', 'reauthenticate']),
      language: z.optional(language),
    }),
    output: gives<{ url: string }>(),
  },
  unlinkProvider: {
    needs: 'signedIn',
    effect: 'write',
    perSession: true,
    input: z.strictObject({ provider: code }),
    output: done,
  },
  /** With `unlinkProviders` nobody signs in with a linked provider any more; those linked before the address was proved go in any case. */
  confirmPasswordReset: {
    needs: 'anyone',
    effect: 'external',
    input: z.strictObject({ oobCode: code, newPassword, unlinkProviders: z.optional(z.boolean()) }),
    output: done,
  },

  // profile
  getUser: {
    needs: 'signedIn',
    effect: 'read',
    input: nothing,
    output: gives<{ user: UserRecord }>(),
  },
  /** Everything that is held about the caller. */
  exportUser: {
    needs: 'signedIn',
    effect: 'read',
    input: nothing,
    output: gives<{ data: Record<string, unknown> }>(),
  },
  saveUser: {
    needs: 'signedIn',
    effect: 'write',
    input: z.strictObject({ display_name: z.optional(personName), language: z.optional(language) }),
    output: done,
  },
  updateProfile: {
    needs: 'signedIn',
    effect: 'write',
    input: z.strictObject({ displayName: personName }),
    output: done,
  },

  // subscriptions
  listSubscriptions: {
    needs: 'signedIn',
    effect: 'read',
    input: z.strictObject({
      page: optionalPage,
      pageSize,
      search,
      sort: z._default(z.enum(['newest', 'name']), 'newest'),
    }),
    output: gives<{ subscriptions: Subscription[]; total: number }>(),
  },
  /** What a new project costs on a plan; `address` is where its payer is. */
  previewSubscription: {
    needs: 'signedIn',
    effect: 'read',
    input: z.strictObject({ planId: id, address: z.optional(payerPlace) }),
    output: gives<{ preview: PlanChangePreview }>(),
  },
  createSubscription: {
    needs: 'signedIn',
    effect: 'external',
    input: z.strictObject({ planId: id, billingInfo: z.optional(billingInfo) }),
    output: gives<{ subscriptionId: string } & typeof challenged>(),
  },
  /** The owner's, after 3-D Secure: has the payment come? Refused with `paymentIncomplete` or, when the bank said no, `cardDeclined`. */
  completePayment: {
    needs: 'signedIn',
    effect: 'billing',
    input: ofSubscription({}),
    output: gives<{ processing?: boolean }>(),
  },
  getSubscription: {
    needs: 'member',
    effect: 'read',
    input: ofSubscription({}),
    output: gives<{ subscription: Subscription }>(),
  },
  updateSubscriptionSettings: {
    needs: 'admin',
    effect: 'write',
    onlyActive: true,
    input: ofSubscription({ settings: settingsSchema(settingsFields) }),
    output: done,
  },

  // invites
  listInvites: {
    needs: 'signedIn',
    effect: 'read',
    input: nothing,
    output: gives<{ invites: Invite[] }>(),
  },
  /** What the caller has sent and nobody has answered yet, in projects that they are in but don't administer: the users list has the others. */
  listSentInvites: {
    needs: 'signedIn',
    effect: 'read',
    input: nothing,
    output: gives<{ invites: Invite[] }>(),
  },
  checkInvite: {
    needs: 'anyone',
    effect: 'write',
    input: z.strictObject({ code }),
    output: gives<{ invite: Invite }>(),
  },
  acceptInvite: {
    needs: 'signedIn',
    effect: 'write',
    input: z.strictObject({ inviteId: id }),
    output: done,
  },
  rejectInvite: {
    needs: 'signedIn',
    effect: 'write',
    input: z.strictObject({ inviteId: id }),
    output: done,
  },
  createInvite: {
    needs: 'admin',
    effect: 'write',
    onlyActive: true,
    input: ofSubscription({ email, permissions: permissionKeys, name: z.optional(personName) }),
    output: gives<{ inviteId: string }>(),
  },
  /** An administrator's, or that of whoever sent it. */
  revokeInvite: {
    needs: 'member',
    effect: 'write',
    onlyActive: true,
    input: ofSubscription({ inviteId: id }),
    output: done,
  },
  /** Sends a new link with a new time to live; the old link ends. */
  resendInvite: {
    needs: 'admin',
    effect: 'write',
    onlyActive: true,
    input: ofSubscription({ inviteId: id }),
    output: done,
  },

  // members
  getSubscriptionUsers: {
    needs: 'admin',
    effect: 'read',
    input: ofSubscription({
      page,
      pageSize,
      search,
      permission: z.optional(permissionKeys.def.element),
    }),
    output: gives<{ users: SubscriptionUser[]; total: number; seats: Seats }>(),
  },
  /** With `was`, refused with `permissionsChanged` if somebody else has changed them since they were read. */
  updateUserPermissions: {
    needs: 'admin',
    effect: 'write',
    onlyActive: true,
    input: ofSubscription({
      userId: id,
      permissions: permissionKeys,
      was: z.optional(permissionKeys),
    }),
    output: done,
  },
  removeUser: {
    needs: 'admin',
    effect: 'write',
    onlyActive: true,
    input: ofSubscription({ userId: id }),
    output: done,
  },
  leaveSubscription: { needs: 'member', effect: 'write', input: ofSubscription({}), output: done },

  // activity
  listActivity: {
    needs: 'admin',
    effect: 'read',
    input: ofSubscription({ page, pageSize, search, area: z.optional(z.enum(activityAreas)) }),
    output: gives<{ activity: Activity[]; total: number }>(),
  },
  /** Everything that is kept, newest first. */
  exportActivity: {
    needs: 'admin',
    effect: 'read',
    input: ofSubscription({}),
    output: gives<{ activity: Activity[] }>(),
  },
  /** What the caller did, or was done to them, in projects and in their account. Projects are named to those who are in them now. */
  listOwnActivity: {
    needs: 'signedIn',
    effect: 'read',
    input: z.strictObject({ page, pageSize, area: z.optional(z.enum(activityAreas)) }),
    output: gives<{ activity: Activity[]; total: number }>(),
  },
  exportOwnActivity: {
    needs: 'signedIn',
    effect: 'read',
    input: nothing,
    output: gives<{ activity: Activity[] }>(),
  },

  // billing
  listInvoices: {
    needs: 'admin',
    effect: 'read',
    input: ofSubscription({ page, pageSize }),
    output: gives<{ invoices: Invoice[]; total: number }>(),
  },
  /** `address` matters where it is the first plan that is paid for. */
  previewPlanChange: {
    needs: 'owner',
    effect: 'read',
    onlyActive: true,
    input: ofSubscription({ planId: id, address: z.optional(payerPlace) }),
    output: gives<{ preview: PlanChangePreview; quote?: string }>(),
  },
  /** From a free plan to a paid one with `billingInfo`, else without. With the preview's `quote` it costs what that said, or is refused. An answer with `clientSecret` waits for the bank, then `completePayment`. */
  changeSubscriptionPlan: {
    needs: 'owner',
    effect: 'billing',
    onlyActive: true,
    input: ofSubscription({
      planId: id,
      billingInfo: z.optional(billingInfo),
      quote: z.optional(quote),
    }),
    output: challenged,
  },
  cancelSubscription: {
    needs: 'owner',
    effect: 'billing',
    onlyActive: true,
    input: ofSubscription({ confirmationId: id }),
    output: done,
  },
  /** What is overdue, of all weeks together; some of it may have been paid with credit. Minor units; null if nothing is. */
  previewPayment: {
    needs: 'owner',
    effect: 'read',
    onlyActive: true,
    input: ofSubscription({}),
    output: gives<{ owed: { due: number; currency: string } | null }>(),
  },
  /** Pays what is overdue, with the default card or another one of the project's, which then is the default. */
  payInvoice: {
    needs: 'owner',
    effect: 'billing',
    onlyActive: true,
    input: ofSubscription({ paymentMethodId: z.optional(id) }),
    output: challenged,
  },
  getPaymentMethods: {
    needs: 'owner',
    effect: 'read',
    input: ofSubscription({}),
    output: gives<{ paymentMethods: PaymentMethod[] }>(),
  },
  createSetupIntent: {
    needs: 'owner',
    effect: 'billing',
    onlyActive: true,
    secret: true,
    input: ofSubscription({}),
    output: gives<{ clientSecret: string }>(),
  },
  setDefaultPaymentMethod: {
    needs: 'owner',
    effect: 'billing',
    onlyActive: true,
    input: ofSubscription({ paymentMethodId: id }),
    output: done,
  },
  deletePaymentMethod: {
    needs: 'owner',
    effect: 'billing',
    onlyActive: true,
    input: ofSubscription({ paymentMethodId: id }),
    output: done,
  },
  getBillingDetails: {
    needs: 'owner',
    effect: 'read',
    input: ofSubscription({}),
    output: gives<ProjectBilling>(),
  },
  /** What is left out stays as it is. */
  updateBillingDetails: {
    needs: 'owner',
    effect: 'billing',
    onlyActive: true,
    input: ofSubscription({
      ...billingDetails,
      billing_email: z.optional(z.nullable(email)),
      tax_id: z.optional(z.nullable(taxId)),
      receipts: z.optional(z.boolean()),
    }),
    output: done,
  },
  /** Every card goes, unless with `keepCard` the one that the plan is paid with stays until the new owner makes another one the default. */
  transferSubscriptionOwnership: {
    needs: 'owner',
    effect: 'billing',
    onlyActive: true,
    input: ofSubscription({ newOwnerId: id, keepCard: z._default(z.boolean(), false) }),
    output: done,
  },
  /** Cards that the caller has added, in whatever project, whether they are in it or not. */
  listOwnPaymentMethods: {
    needs: 'signedIn',
    effect: 'read',
    input: nothing,
    output: gives<{ paymentMethods: OwnPaymentMethod[] }>(),
  },
  /** For the person who added the card. Refused with `defaultPaymentMethod` to the owner of a project that is paid with it. */
  deleteOwnPaymentMethod: {
    needs: 'signedIn',
    effect: 'external',
    input: ofSubscription({ paymentMethodId: id }),
    output: done,
  },
} as const satisfies Record<string, CallRow>

export type Calls = typeof calls
export type CallName = keyof Calls
/** What the caller sends. */
export type CallInput<Name extends CallName> = z.input<Calls[Name]['input']>
/** What the handler reads: trimmed, lower-cased, with defaults. */
export type ParsedInput<Name extends CallName> = z.output<Calls[Name]['input']>
export type CallOutput<Name extends CallName> = Calls[Name]['output']

export function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}

/** The type of an answer; there is no value behind it. */
function gives<Output>() {
  return undefined as Output
}

function ofSubscription<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.strictObject({ subscriptionId, ...shape })
}
