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
  optionalPage,
  page,
  pageSize,
  password,
  payerPlace,
  permissionKeys,
  personName,
  search,
  subscriptionId,
  taxId,
} from './fields.ts'
import { settingsSchema } from './settings.ts'

/**
 * Who may make a call. `member`, `admin` and `owner` refer to the subscription that the input
 * names.
 */
export type Needs = 'anyone' | 'signedIn' | 'member' | 'admin' | 'owner'

/**
 * What a call does to the store, and so how the server runs it: see
 * docs/decisions/002-effect-of-a-call.md.
 * `read`: it changes nothing.
 * `write`: it runs in one transaction. If the input names a subscription, the transaction locks its
 * row before the server checks what the caller may do.
 * `external`: it talks to a provider, or works for long, and opens its own transactions.
 * `billing`: like `external`, and it holds the subscription's billing lease. Once the call has the
 * lease, the server checks again what the caller may do.
 */
export type Effect = 'read' | 'write' | 'external' | 'billing'

type Caller = {
  needs: Needs
  /** The server refuses the call if the subscription is canceled. */
  onlyActive?: true
  /**
   * The rate limit counts per session, so that a stolen session can't use up the limit of the
   * account's owner.
   */
  perSession?: true
  /**
   * The input or the output contains a secret. The server keeps neither the answer nor a hash of
   * the request, so the call takes no Idempotency-Key. Calls that anyone may make take none either.
   */
  secret?: true
  /** The answer is a new session, and the app is signed in with it. */
  signsIn?: true
  /** `user`: after the call, the app reads the signed-in user again, besides the data on screen. */
  changes?: 'user'
  /**
   * `access`: afterwards, the caller may not see what is on screen. `account`: the caller has no
   * account.
   */
  ends?: 'access' | 'account'
}

export type CallRow = Caller & { effect: Effect; input: z.ZodMiniObject; output: unknown }

const read = rowOf('read')
const write = rowOf('write')
const external = rowOf('external')
const billing = rowOf('billing')

const anyone = { needs: 'anyone' } as const
const signedIn = { needs: 'signedIn' } as const
const thisSession = { needs: 'signedIn', perSession: true } as const
const member = { needs: 'member' } as const
const activeMember = { needs: 'member', onlyActive: true } as const
const admin = { needs: 'admin' } as const
const activeAdmin = { needs: 'admin', onlyActive: true } as const
const owner = { needs: 'owner' } as const
const activeOwner = { needs: 'owner', onlyActive: true } as const

const nothing = {}
const paged = { page, pageSize }
const area = z.optional(z.enum(activityAreas))
/** The `quote` from an answer of `previewPlanChange`. Its content means nothing to the app. */
const quote = z.string().check(z.minLength(1), z.maxLength(200))
const newSession = gives<{ user: AuthUser; token: string; expiresIn: number }>()
/**
 * `clientSecret`: the bank first asks the buyer to confirm the payment, for which the app needs
 * this secret. The server keeps it with the answer for an Idempotency-Key: a buyer whose browser
 * lost the answer can't finish the payment without it, and it opens nothing but that payment.
 * `processing`: the bank is still working on the payment.
 */
const challenge = gives<{ clientSecret?: string; processing?: boolean }>()

/**
 * Every call: who may make it, its input and its output. A missing input or output means an empty
 * object.
 */
export const calls = {
  // identity
  signUp: external(
    { ...anyone, signsIn: true },
    { fullName: personName, email, password: newPassword, language: z.optional(language) },
    newSession,
  ),
  signIn: external({ ...anyone, signsIn: true }, { email, password }, newSession),
  refreshSession: external({ ...anyone, signsIn: true }, {}, newSession),
  signOut: write(thisSession),
  sendVerificationEmail: write(signedIn),
  sendPasswordResetEmail: external(anyone, { email }),
  /**
   * `providers`: for a password reset, the providers that the account was linked to after its
   * address was verified.
   */
  checkActionCode: read(
    anyone,
    { oobCode: code },
    gives<{ mode: ActionCodeMode; email: string; newEmail?: string; providers?: string[] }>(),
  ),
  /**
   * `account`: the account whose address the link verified. Until the link expires, a second use is
   * refused with the same `account`. `unlinked`: the sign-in providers that the call unlinked from
   * the account.
   */
  applyActionCode: write(
    { ...anyone, changes: 'user' },
    { oobCode: code },
    gives<{ account?: VerifiedAccount; unlinked?: string[] }>(),
  ),
  /** Deletes the account that somebody else created with the address of the link's recipient. */
  rejectVerification: write(anyone, { oobCode: code }),
  reauthenticate: external({ ...thisSession, secret: true }, { password }),
  updateEmail: external(signedIn, { newEmail: email }),
  updatePassword: external({ ...thisSession, secret: true }, { newPassword }),
  deleteAccount: external({ ...thisSession, ends: 'account' }, { confirmationId: id }),
  listSessions: read(signedIn, {}, gives<{ sessions: Session[] }>()),
  revokeSession: write(thisSession, { sessionId: id }),
  revokeOtherSessions: write(thisSession),
  /**
   * `url`: the provider's page for a signed-in user. Only the browser that makes this call can
   * finish there.
   */
  startProviderFlow: external(
    { ...signedIn, secret: true },
    {
      provider: code,
      intent: z.enum(['link', 'reauthenticate']),
      language: z.optional(language),
    },
    gives<{ url: string }>(),
  ),
  unlinkProvider: write(thisSession, { provider: code }),
  /**
   * The call always unlinks providers that were linked before the address was verified.
   * `unlinkProviders` unlinks the others too.
   */
  confirmPasswordReset: external(anyone, {
    oobCode: code,
    newPassword,
    unlinkProviders: z.optional(z.boolean()),
  }),

  // profile
  getUser: read(signedIn, {}, gives<{ user: UserRecord }>()),
  /** All data about the caller. */
  exportUser: read(signedIn, {}, gives<{ data: Record<string, unknown> }>()),
  saveUser: write(signedIn, {
    display_name: z.optional(personName),
    language: z.optional(language),
  }),
  updateProfile: write({ ...signedIn, changes: 'user' }, { displayName: personName }),

  // subscriptions
  listSubscriptions: read(
    signedIn,
    {
      page: optionalPage,
      pageSize,
      search,
      sort: z._default(z.enum(['newest', 'name']), 'newest'),
    },
    gives<{ subscriptions: Subscription[]; total: number }>(),
  ),
  /** The cost of a new subscription. `address`: the payer's place, which the tax depends on. */
  previewSubscription: read(
    signedIn,
    { planId: id, address: z.optional(payerPlace) },
    gives<{ preview: PlanChangePreview }>(),
  ),
  createSubscription: external(
    signedIn,
    { planId: id, billingInfo: z.optional(billingInfo) },
    gives<{ subscriptionId: string } & typeof challenge>(),
  ),
  /**
   * The app makes this call after 3-D Secure. Refuses with `paymentIncomplete` until the owner has
   * confirmed the payment, and with `cardDeclined` if the bank has declined it.
   */
  completePayment: billing(signedIn, { subscriptionId }, gives<{ processing?: boolean }>()),
  getSubscription: read(member, { subscriptionId }, gives<{ subscription: Subscription }>()),
  updateSubscriptionSettings: write(activeAdmin, {
    subscriptionId,
    settings: settingsSchema(settingsFields),
  }),

  // invites
  listInvites: read(signedIn, {}, gives<{ invites: Invite[] }>()),
  /**
   * The open invites that the caller sent to subscriptions where they are a member but no
   * administrator. Administrators see all invites in the list of users.
   */
  listSentInvites: read(signedIn, {}, gives<{ invites: Invite[] }>()),
  checkInvite: write({ ...anyone, changes: 'user' }, { code }, gives<{ invite: Invite }>()),
  acceptInvite: write(signedIn, { inviteId: id }),
  rejectInvite: write(signedIn, { inviteId: id }),
  createInvite: write(
    activeAdmin,
    { subscriptionId, email, permissions: permissionKeys, name: z.optional(personName) },
    gives<{ inviteId: string }>(),
  ),
  /** Administrators may revoke every invite, other members only those that they sent. */
  revokeInvite: write(activeMember, { subscriptionId, inviteId: id }),
  /** Sends a new link, valid for the full time again. The old link stops working. */
  resendInvite: write(activeAdmin, { subscriptionId, inviteId: id }),

  // members
  getSubscriptionUsers: read(
    admin,
    { subscriptionId, ...paged, search, permission: z.optional(permissionKeys.def.element) },
    gives<{ users: SubscriptionUser[]; total: number; seats: Seats }>(),
  ),
  /**
   * `was`: the permissions that the administrator saw. Refuses with `permissionsChanged` if the
   * member now holds others.
   */
  updateUserPermissions: write(activeAdmin, {
    subscriptionId,
    userId: id,
    permissions: permissionKeys,
    was: z.optional(permissionKeys),
  }),
  removeUser: write(activeAdmin, { subscriptionId, userId: id }),
  leaveSubscription: write({ ...member, ends: 'access' }, { subscriptionId }),

  // activity
  listActivity: read(
    admin,
    { subscriptionId, ...paged, search, area },
    gives<{ activity: Activity[]; total: number }>(),
  ),
  /** The newest entries first, at most `limits.activity.exported`. */
  exportActivity: read(admin, { subscriptionId }, gives<{ activity: Activity[] }>()),
  /**
   * Entries about what the caller did and what was done to them, in subscriptions and in their
   * account. An entry names its subscription only if the caller is in it now.
   */
  listOwnActivity: read(
    signedIn,
    { ...paged, area },
    gives<{ activity: Activity[]; total: number }>(),
  ),
  exportOwnActivity: read(signedIn, {}, gives<{ activity: Activity[] }>()),

  // billing
  listInvoices: read(
    admin,
    { subscriptionId, ...paged },
    gives<{ invoices: Invoice[]; total: number }>(),
  ),
  /** `address` matters only for a change from a free plan to a paid one. */
  previewPlanChange: read(
    activeOwner,
    { subscriptionId, planId: id, address: z.optional(payerPlace) },
    gives<{ preview: PlanChangePreview; quote?: string }>(),
  ),
  /**
   * A change from a free plan to a paid one requires `billingInfo`; any other change refuses it.
   * With the preview's `quote`, the change costs what the preview showed, or the server refuses it.
   * If the answer has a `clientSecret`, the payer confirms the payment, then the app calls
   * `completePayment`.
   */
  changeSubscriptionPlan: billing(
    activeOwner,
    {
      subscriptionId,
      planId: id,
      billingInfo: z.optional(billingInfo),
      quote: z.optional(quote),
    },
    challenge,
  ),
  cancelSubscription: billing(activeOwner, { subscriptionId, confirmationId: id }),
  /** The sum of all overdue invoices, less credit, in minor units; null if nothing is overdue. */
  previewPayment: read(
    activeOwner,
    { subscriptionId },
    gives<{ owed: { due: number; currency: string } | null }>(),
  ),
  /** Pays all overdue invoices, with the default card or with a card that becomes the default. */
  payInvoice: billing(activeOwner, { subscriptionId, paymentMethodId: z.optional(id) }, challenge),
  getPaymentMethods: read(owner, { subscriptionId }, gives<{ paymentMethods: PaymentMethod[] }>()),
  createSetupIntent: billing(
    { ...activeOwner, secret: true },
    { subscriptionId },
    gives<{ clientSecret: string }>(),
  ),
  setDefaultPaymentMethod: billing(activeOwner, { subscriptionId, paymentMethodId: id }),
  deletePaymentMethod: billing(activeOwner, { subscriptionId, paymentMethodId: id }),
  getBillingDetails: read(owner, { subscriptionId }, gives<ProjectBilling>()),
  /** Optional fields that are left out stay as they are. */
  updateBillingDetails: billing(activeOwner, {
    subscriptionId,
    ...billingDetails,
    billing_email: z.optional(z.nullable(email)),
    tax_id: z.optional(z.nullable(taxId)),
    receipts: z.optional(z.boolean()),
  }),
  /**
   * Removes every card. With `keepCard`, the card that pays for the plan stays until the new owner
   * makes another card the default.
   */
  transferSubscriptionOwnership: billing(activeOwner, {
    subscriptionId,
    newOwnerId: id,
    keepCard: z._default(z.boolean(), false),
  }),
  /** Cards that the caller added, including cards in subscriptions that they have left. */
  listOwnPaymentMethods: read(signedIn, {}, gives<{ paymentMethods: OwnPaymentMethod[] }>()),
  /**
   * For the person who added the card. Refuses with `defaultPaymentMethod` if the caller owns the
   * subscription and pays for its plan with the card.
   */
  deleteOwnPaymentMethod: external(signedIn, { subscriptionId, paymentMethodId: id }),
} as const satisfies Record<string, CallRow>

export type Calls = typeof calls
export type CallName = keyof Calls
/** The input as the caller sends it, before the server parses it. */
export type CallInput<Name extends CallName> = z.input<Calls[Name]['input']>
/** The input as the call's function reads it: trimmed, lower-cased, with defaults. */
export type ParsedInput<Name extends CallName> = z.output<Calls[Name]['input']>
export type CallOutput<Name extends CallName> = Calls[Name]['output']

export function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}

/** The names of the calls whose rows `fits` accepts. */
export function callsWith(fits: (row: CallRow) => boolean | undefined): readonly string[] {
  return Object.keys(calls).filter((name) => fits(calls[name as CallName]))
}

/** Declares the type of an answer; the value is never used. */
function gives<Output>() {
  return undefined as Output
}

function rowOf<E extends Effect>(effect: E) {
  return <
    const Who extends Caller,
    Shape extends z.core.$ZodShape = typeof nothing,
    Output = Record<string, never>,
  >(
    caller: Who,
    input: Shape = nothing as Shape,
    output?: Output,
  ) => ({ ...caller, effect, input: z.strictObject(input), output: output as Output })
}
