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

/** Who may make a call. `member`, `admin` and `owner`: of the subscription that the input names. */
export type Needs = 'anyone' | 'signedIn' | 'member' | 'admin' | 'owner'

/**
 * What a call does to the store, and so how it runs: see docs/decisions/002-effect-of-a-call.md.
 * `read`: it changes nothing.
 * `write`: it runs in one transaction, which locks the subscription's row, if the input names one,
 * before the caller's standing is judged.
 * `external`: it talks to a provider, or works for long, and opens its own transactions.
 * `billing`: as `external`, and it holds the subscription's billing lease. The caller's standing is
 * judged again once the call has the lease.
 */
export type Effect = 'read' | 'write' | 'external' | 'billing'

type Caller = {
  needs: Needs
  /** Refused once the subscription is canceled. */
  onlyActive?: true
  /** Its rate limit is counted per session, so that a thief's session can't use up the owner's. */
  perSession?: true
  /**
   * Input or output opens something. Neither the answer nor a hash of the request is kept, so the
   * call takes no Idempotency-Key. Calls that anyone may make take none either.
   */
  secret?: true
  /** Its answer is a session: the app is signed in with it. */
  signsIn?: true
  /** What the app reads anew after it, besides what is on screen. */
  changes?: 'user'
  /** The caller may not see afterwards what is on screen, or has no account any more. */
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
/** What `previewPlanChange` answered, opaque. */
const quote = z.string().check(z.minLength(1), z.maxLength(200))
const newSession = gives<{ user: AuthUser; token: string; expiresIn: number }>()
/**
 * `clientSecret`: the bank wants to ask the buyer first. It is kept with the answer for an
 * Idempotency-Key: a buyer whose browser lost the answer can't finish the payment without it, and
 * it opens nothing but that payment. `processing`: the bank is still working on the payment.
 */
const challenge = gives<{ clientSecret?: string; processing?: boolean }>()

/** Every call: who may make it, what comes in and what goes out (an empty object if left out). */
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
  /** `providers`: for a password reset, the other ways to sign in that the account has. */
  checkActionCode: read(
    anyone,
    { oobCode: code },
    gives<{ mode: ActionCodeMode; email: string; newEmail?: string; providers?: string[] }>(),
  ),
  /**
   * `account` if the link verified an address; a link that was used already is refused with the
   * same `account` as long as it lives. `unlinked`: providers that can't sign in any more.
   */
  applyActionCode: write(
    { ...anyone, changes: 'user' },
    { oobCode: code },
    gives<{ account?: VerifiedAccount; unlinked?: string[] }>(),
  ),
  /** Deletes an account that somebody else made with the address of the link's recipient. */
  rejectVerification: write(anyone, { oobCode: code }),
  reauthenticate: external({ ...thisSession, secret: true }, { password }),
  updateEmail: external(signedIn, { newEmail: email }),
  updatePassword: external({ ...thisSession, secret: true }, { newPassword }),
  deleteAccount: external({ ...thisSession, ends: 'account' }, { confirmationId: id }),
  listSessions: read(signedIn, {}, gives<{ sessions: Session[] }>()),
  revokeSession: write(thisSession, { sessionId: id }),
  revokeOtherSessions: write(thisSession),
  /** Where to open the provider's window for a signed-in user. Only this browser can come back. */
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
  /** Providers that were linked before the address was verified are unlinked in any case. */
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
  /** What a new subscription costs. `address`: where the payer is. */
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
   * The owner asks it after 3-D Secure: has the payment arrived? Refused with `paymentIncomplete`,
   * or `cardDeclined` if the bank refused.
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
   * The caller's pending invites in subscriptions that they are in but don't administer. Those of
   * the others are in the users list.
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
  /** For administrators, and for the member who sent the invite. */
  revokeInvite: write(activeMember, { subscriptionId, inviteId: id }),
  /** Sends a new link, valid for the full time again. The old link stops working. */
  resendInvite: write(activeAdmin, { subscriptionId, inviteId: id }),

  // members
  getSubscriptionUsers: read(
    admin,
    { subscriptionId, ...paged, search, permission: z.optional(permissionKeys.def.element) },
    gives<{ users: SubscriptionUser[]; total: number; seats: Seats }>(),
  ),
  /** With `was`, refused with `permissionsChanged` if the permissions have changed since then. */
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
  /** All that is kept, newest first. */
  exportActivity: read(admin, { subscriptionId }, gives<{ activity: Activity[] }>()),
  /**
   * What the caller did or what was done to them, in subscriptions and in their account. Only
   * subscriptions that they are in now are named.
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
  /** `address` matters only for the first paid plan. */
  previewPlanChange: read(
    activeOwner,
    { subscriptionId, planId: id, address: z.optional(payerPlace) },
    gives<{ preview: PlanChangePreview; quote?: string }>(),
  ),
  /**
   * `billingInfo` only from a free plan to a paid one. With the preview's `quote`, the change costs
   * what the preview showed or is refused. After an answer with `clientSecret`, the bank asks the
   * payer and the app calls `completePayment`.
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
   * Removes every card. With `keepCard`, the card that pays the plan stays until the new owner
   * makes another one the default.
   */
  transferSubscriptionOwnership: billing(activeOwner, {
    subscriptionId,
    newOwnerId: id,
    keepCard: z._default(z.boolean(), false),
  }),
  /** Cards that the caller has added, also in subscriptions that they are not in any more. */
  listOwnPaymentMethods: read(signedIn, {}, gives<{ paymentMethods: OwnPaymentMethod[] }>()),
  /**
   * For the person who added the card. An owner whose subscription is paid with the card is refused
   * with `defaultPaymentMethod`.
   */
  deleteOwnPaymentMethod: external(signedIn, { subscriptionId, paymentMethodId: id }),
} as const satisfies Record<string, CallRow>

export type Calls = typeof calls
export type CallName = keyof Calls
/** What the caller sends. */
export type CallInput<Name extends CallName> = z.input<Calls[Name]['input']>
/** What the call's function reads: trimmed, lower-cased, with defaults. */
export type ParsedInput<Name extends CallName> = z.output<Calls[Name]['input']>
export type CallOutput<Name extends CallName> = Calls[Name]['output']

export function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}

/** Names of the calls whose rows fit. */
export function callsWith(fits: (row: CallRow) => boolean | undefined): readonly string[] {
  return Object.keys(calls).filter((name) => fits(calls[name as CallName]))
}

/** The type of an answer, without a value. */
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
