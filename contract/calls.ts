import { settingsFields } from '#config/settings.ts'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import * as z from 'zod/mini'
import { activityAreas, type Activity } from './activity.ts'
import type {
  ActionCodeMode,
  AuthUser,
  Factor,
  Invite,
  Invoice,
  Owed,
  OwnPaymentMethod,
  PaymentMethod,
  PlanChangePreview,
  ProjectBilling,
  PurchaseFound,
  Seats,
  Session,
  SubscriptionUser,
  OpenedSubscription,
  SubscriptionWithPeople,
  Timestamp,
  UserRecord,
  VerifiedAccount,
} from './entities.ts'
import type { Use } from './entitlements.ts'
import {
  billingDetails,
  billingInfo,
  code,
  credential,
  email,
  epochSeconds,
  factorName,
  id,
  language,
  newPassword,
  notices,
  oneTimeCode,
  onInvoices,
  optionalPage,
  paged,
  pageSize,
  password,
  payerPlace,
  permissionKeys,
  personName,
  price,
  promotionCode,
  recoveryCode,
  search,
  subscriptionId,
  taxId,
  timestamp,
  trial,
} from './fields.ts'
import { ofModules } from './modules.ts'
import {
  activeAdmin,
  activeOwner,
  adminTakingAway,
  admin,
  anyone,
  billing,
  external,
  gives,
  member,
  owner,
  read,
  signedIn,
  thisSession,
  write,
  type CallRow,
} from './rows.ts'
import { settingsSchema } from './settings.ts'

const area = z.optional(z.enum(activityAreas))
const keepInvites = z.optional(z.literal(true))
/** The `quote` from an answer of `previewPlanChange`. Its content means nothing to the app. */
const quote = code
/** When it takes effect. Refused if config/billing.ts doesn't offer that. */
const at = z.optional(z.enum(['now', 'periodEnd']))
const newSession = gives<{ user: AuthUser; token: string; expiresIn: number }>()
/**
 * `clientSecret`: the bank asks the buyer to confirm, for which the app needs this secret. The
 * server keeps it for an Idempotency-Key, sealed, because it opens only this payment.
 * `processing`: the bank is still working on the payment.
 */
const challenge = gives<{ clientSecret?: string; processing?: boolean }>()

/** One of them passes a second step. */
const secondStep = {
  code: z.optional(oneTimeCode),
  recoveryCode: z.optional(recoveryCode),
  credential: z.optional(credential),
}

/** What somebody wants to pay for. */
const wish = { planId: id, price, trial, promotionCode }

/** Every call of the core: who may make it, its input and its output, each `{}` if missing. */
const ofCore = {
  // identity
  /**
   * `inviteCode`: the code in an open invite's link. It proves the address that it was mailed to,
   * so the new account's address is verified. The call refuses any other code.
   */
  signUp: external(
    anyone,
    {
      fullName: personName,
      email,
      password: newPassword,
      language: z.optional(language),
      inviteCode: z.optional(code),
    },
    newSession,
  ),
  /**
   * Refuses a person whose second step is on with `auth/multi-factor-auth-required`, whose details
   * have the `resolver` for `finishSignIn`, the `types` of factors that pass it, and for passkeys the
   * `options` of the browser's question.
   */
  signIn: external(anyone, { email, password }, newSession),
  /**
   * Signs in by the second step, in the browser that passed the first one. `rememberBrowser`: it
   * isn't asked for a second step again for a while. After `startPasskeySignIn`, a passkey signs in.
   */
  finishSignIn: external(
    anyone,
    { resolver: code, ...secondStep, rememberBrowser: z.optional(z.boolean()) },
    newSession,
  ),
  /** `subscription`: the named one, if the signed-in user is a member. Else it is left out. */
  refreshSession: external(
    anyone,
    { subscriptionId: z.optional(subscriptionId) },
    gives<typeof newSession & { subscription?: OpenedSubscription }>(),
  ),
  signOut: write(thisSession),
  sendVerificationEmail: write(signedIn),
  sendPasswordResetEmail: external(anyone, { email }),
  /**
   * For a password reset. `providers`: those that were linked after the address was verified.
   * `addressChanged`: when the account got its address, if the former one may still take it back.
   */
  checkActionCode: read(
    anyone,
    { oobCode: code },
    gives<{
      mode: ActionCodeMode
      email: string
      newEmail?: string
      providers?: string[]
      addressChanged?: Timestamp
    }>(),
  ),
  /**
   * `account`: its address is verified. Later uses of the link are refused with the same, unless
   * its user, signed in, claims the account by it. `unlinked`: the sign-in providers that the call
   * unlinked from the account.
   */
  applyActionCode: write(
    anyone,
    { oobCode: code },
    gives<{ account?: VerifiedAccount; unlinked?: string[] }>(),
  ),
  /**
   * Claims an account by a verification link, used or not, that was mailed to its address: with the
   * account's password or session nothing ends, with a new password all former access does.
   */
  claimAccount: external(
    anyone,
    { oobCode: code, password: z.optional(password), newPassword: z.optional(newPassword) },
    newSession,
  ),
  /**
   * For an account that somebody else created with the address of the link's recipient: ends all
   * access to it at once, and deletes it a day later unless somebody claims it. An account that had
   * another address goes back to that, and is `returned`. Refuses once the account is claimed.
   */
  rejectVerification: write(anyone, { oobCode: code }, gives<{ returned?: true }>()),
  /** A challenge for a passkey, of whomever: for `finishSignIn` or `reauthenticate`. */
  startPasskeySignIn: external(
    anyone,
    {},
    gives<{ resolver: string; options: PublicKeyCredentialRequestOptionsJSON }>(),
  ),
  /**
   * A passkey that has verified its person is enough. A person whose second step is on needs both. Without the password, the step follows a sign-in
   * that is recent, as one at a provider.
   */
  reauthenticate: external(
    { ...thisSession, secret: true },
    { password: z.optional(password), ...secondStep },
  ),
  listFactors: read(signedIn, {}, gives<{ factors: Factor[]; recovery_codes_left: number }>()),
  /**
   * Of an app, `uri`, which a QR code shows, has the base32 `secret` and the account's names. Of a
   * passkey, the `options` of the browser's question.
   */
  startFactorEnrollment: write(
    { ...thisSession, secret: true },
    { type: z.enum(['totp', 'passkey']), displayName: z.optional(factorName) },
    gives<{
      enrollmentId: string
      secret?: string
      uri?: string
      options?: PublicKeyCredentialCreationOptionsJSON
    }>(),
  ),
  /** `recoveryCodes`: with the factor that turns the second step on. They are shown once. */
  finishFactorEnrollment: write(
    { ...thisSession, secret: true },
    { enrollmentId: code, code: z.optional(oneTimeCode), credential: z.optional(credential) },
    gives<{ factor: Factor; recoveryCodes?: string[] }>(),
  ),
  renewRecoveryCodes: write(
    { ...thisSession, secret: true },
    {},
    gives<{ recoveryCodes: string[] }>(),
  ),
  renameFactor: write(thisSession, { factorId: id, displayName: factorName }),
  removeFactor: write(thisSession, { factorId: id }),
  updateEmail: external(signedIn, { newEmail: email }),
  /** Replaces the address of an account that nobody has claimed, as one with a mistake. */
  correctEmail: external(signedIn, { email }),
  updatePassword: external({ ...thisSession, secret: true }, { newPassword }),
  deleteAccount: external(thisSession, { confirmationId: id }),
  listSessions: read(signedIn, {}, gives<{ sessions: Session[] }>()),
  revokeSession: write(thisSession, { sessionId: id }),
  revokeOtherSessions: write(thisSession),
  /** `url`: the provider's page. Only the browser that makes this call can finish there. */
  startProviderFlow: external(
    { ...signedIn, secret: true },
    { provider: code, intent: z.enum(['link', 'reauthenticate']), language: z.optional(language) },
    gives<{ url: string }>(),
  ),
  unlinkProvider: write(thisSession, { provider: code }),
  /**
   * Claims the account: an unclaimed one loses all former access, with `unlinkProviders` a claimed
   * one its providers. `wasMine: false`, while a former address may take the account back, gives it
   * back, and the password belongs to a new account with the address. A person whose second step is
   * on passes it: with a passkey, by the `resolver` of the refusal.
   */
  confirmPasswordReset: external(anyone, {
    oobCode: code,
    newPassword,
    resolver: z.optional(code),
    ...secondStep,
    unlinkProviders: z.optional(z.boolean()),
    wasMine: z.optional(z.boolean()),
  }),

  // profile
  getUser: read(signedIn, {}, gives<{ user: UserRecord }>()),
  exportUser: read({ ...signedIn, streamed: true }, {}, gives<{ data: Record<string, unknown> }>()),
  saveUser: write(signedIn, {
    display_name: z.optional(personName),
    language: z.optional(language),
    /** Which mails about what others do in projects the user wants. Others stay as they are. */
    notices: z.optional(notices),
  }),
  updateProfile: write(signedIn, { displayName: personName }),

  // subscriptions
  /** Canceled subscriptions come last in every order. See `is_shut` of the rows. */
  listSubscriptions: read(
    signedIn,
    {
      page: optionalPage,
      pageSize,
      search,
      sort: z._default(z.enum(['newest', 'name']), 'newest'),
    },
    gives<{ subscriptions: SubscriptionWithPeople[]; total: number }>(),
  ),
  /** The cost of a new subscription. `address`: the payer's place, which the tax depends on. */
  previewSubscription: read(
    { ...signedIn, asksProvider: true },
    { ...wish, address: z.optional(payerPlace) },
    gives<{ preview: PlanChangePreview }>(),
  ),
  /**
   * `after`: the newest purchase that the buyer knows of. If there is a newer one that was paid, the
   * answer is that one, as `earlier`, and nothing is bought. Without `after`, nothing is looked for.
   */
  createSubscription: external(
    signedIn,
    {
      ...wish,
      billingInfo: z.optional(billingInfo),
      after: z.optional(z.nullable(id)),
    },
    gives<{ subscriptionId: string; earlier?: true } & typeof challenge>(),
  ),
  /**
   * Finds out what became of the caller's newest purchase, if it had an `after` and its buyer has not
   * acknowledged the outcome. Finishes or undoes the purchase for that. `latest`: the newest that was
   * acknowledged, for `after`.
   */
  findPurchase: external(
    signedIn,
    {},
    gives<{ latest: string | null; purchase: PurchaseFound | null }>(),
  ),
  /** The buyer has read that the purchase is paid. */
  acknowledgePurchase: write(owner, { subscriptionId }),
  /** The app calls it after 3-D Secure. Refuses with `paymentIncomplete` or `cardDeclined`. */
  completePayment: external(signedIn, { subscriptionId }, gives<{ processing?: boolean }>()),
  getSubscription: read(member, { subscriptionId }, gives<{ subscription: OpenedSubscription }>()),
  /** What the project uses of each limit of the modules that are on. */
  getUsage: read(member, { subscriptionId }, gives<{ usage: Use[] }>()),
  /** `ifUnchangedSince`: the `settings_changed` that the caller has seen. */
  updateSubscriptionSettings: write(activeAdmin, {
    subscriptionId,
    settings: settingsSchema(settingsFields),
    ifUnchangedSince: z.optional(timestamp),
  }),
  /**
   * For an owner whose session has passed a second step. `from`: when the project begins to ask every
   * session for that; in the past or left out, at once. Mails those who have no factor.
   */
  updateSubscriptionSecurity: write(activeOwner, {
    subscriptionId,
    requireSecondFactor: z.boolean(),
    from: z.optional(epochSeconds),
  }),

  // invites
  /** For somebody who has not claimed their account: none, but whether one is `waiting`. */
  listInvites: read(signedIn, {}, gives<{ invites: Invite[]; waiting?: true }>()),
  /** The caller's open invites. They end when the caller may no longer invite people. */
  listSentInvites: read(signedIn, {}, gives<{ invites: Invite[] }>()),
  /**
   * Also claims the caller's account, and so verifies its address, if the code was mailed to it.
   * `isMailed`: the code was mailed, so it proves that its reader has the invited address. Only then
   * `hasAccount` says whether the address has an account. `name`: what the inviter called the person.
   */
  checkInvite: external(
    anyone,
    { code },
    gives<{ invite: Invite; name: string | null; isMailed: boolean; hasAccount: boolean }>(),
  ),
  acceptInvite: write(signedIn, { inviteId: id }),
  rejectInvite: write(signedIn, { inviteId: id }),
  /** `mailed`: false if the mailbox had too many mails today. The invite has a link all the same. */
  createInvite: write(
    activeAdmin,
    { subscriptionId, email, permissions: permissionKeys, name: z.optional(personName) },
    gives<{ inviteId: string; mailed?: false }>(),
  ),
  revokeInvite: write(adminTakingAway, { subscriptionId, inviteId: id }),
  /** Sends a new link, valid for the full time again. The old link stops working. */
  resendInvite: write(activeAdmin, { subscriptionId, inviteId: id }),
  /**
   * Makes a code that opens a pending invite, and ends the code that the call made before. Unlike
   * the mailed code, it doesn't prove that its holder has the invited address.
   */
  createInviteLink: write(
    { ...activeAdmin, secret: true },
    { subscriptionId, inviteId: id },
    gives<{ code: string }>(),
  ),

  // members
  getSubscriptionUsers: read(
    admin,
    {
      subscriptionId,
      ...paged,
      search,
      /** Only members hold permissions; invites only promise them. */
      permission: z.optional(permissionKeys.def.element),
      status: z.optional(z.enum(['active', 'pending'])),
      /** Of members. Nobody knows it of a pending invite. */
      hasSecondFactor: z.optional(z.boolean()),
      /** Without it, the owner comes first and pending invites last. */
      sort: z.optional(z.enum(['name', 'created'])),
      direction: z.optional(z.enum(['ascending', 'descending'])),
    },
    gives<{ users: SubscriptionUser[]; total: number; seats: Seats }>(),
  ),
  /**
   * `was`: what the administrator saw. Refuses if the member now holds other permissions. Pending
   * invites of somebody who is no administrator any more are revoked; with `keepInvites`, they go on
   * in the name of the caller, unless the caller gives up administration.
   */
  updateUserPermissions: write(activeAdmin, {
    subscriptionId,
    userId: id,
    permissions: permissionKeys,
    was: z.optional(permissionKeys),
    keepInvites,
  }),
  removeUser: write(adminTakingAway, { subscriptionId, userId: id, keepInvites }),
  /** Mails the members without a factor that the project asks for one, once a day. */
  remindOfSecondFactor: write(activeAdmin, { subscriptionId }, gives<{ reminded: number }>()),
  leaveSubscription: write({ ...member, evenWithoutFactor: true }, { subscriptionId }),

  // activity
  listActivity: read(
    admin,
    { subscriptionId, ...paged, search, area },
    gives<{ activity: Activity[]; total: number }>(),
  ),
  /** The newest entries first, at most `limits.activity.exported`. */
  exportActivity: read(
    { ...admin, streamed: true },
    { subscriptionId },
    gives<{ activity: Activity[] }>(),
  ),
  /** Entries by or about the caller. They name only subscriptions that the caller is in now. */
  listOwnActivity: read(
    signedIn,
    { ...paged, area },
    gives<{ activity: Activity[]; total: number }>(),
  ),
  exportOwnActivity: read({ ...signedIn, streamed: true }, {}, gives<{ activity: Activity[] }>()),

  // billing
  listInvoices: read(
    admin,
    { subscriptionId, ...paged },
    gives<{ invoices: Invoice[]; total: number }>(),
  ),
  /** `address` matters only for a change from a free plan to a paid one. */
  previewPlanChange: read(
    { ...activeOwner, asksProvider: true },
    { subscriptionId, ...wish, at, address: z.optional(payerPlace) },
    gives<{ preview: PlanChangePreview; quote?: string }>(),
  ),
  /**
   * A change from a free plan to a paid one requires `billingInfo`; any other change refuses it.
   * With the preview's `quote`, which is for one change, it costs what the preview showed, or is
   * refused. After a `clientSecret`, the payer confirms the payment and the app calls
   * `completePayment`.
   */
  changeSubscriptionPlan: billing(
    activeOwner,
    {
      subscriptionId,
      ...wish,
      at,
      billingInfo: z.optional(billingInfo),
      quote: z.optional(quote),
    },
    challenge,
  ),
  /** Takes back a change to a smaller plan that waits for the end of the period. */
  undoPlanChange: billing(activeOwner, { subscriptionId }),
  /** What is refunded, in minor units, if the project is canceled today. */
  previewCancellation: read(
    { ...activeOwner, asksProvider: true },
    { subscriptionId },
    gives<{ refund: number; currency: string | null }>(),
  ),
  /** Without `at`, the project ends as config/billing.ts says first. */
  cancelSubscription: billing(activeOwner, { subscriptionId, confirmationId: id, at }),
  /** Takes back the owner's cancellation that waits for the end of the period. */
  resumeSubscription: billing(activeOwner, { subscriptionId }),
  /** `owed` is null if nothing is overdue. */
  previewPayment: read(
    { ...activeOwner, asksProvider: true },
    { subscriptionId },
    gives<{ owed: Owed | null }>(),
  ),
  /** Pays all overdue invoices, or starts a project whose trial is over again, with the default card or with a card that becomes the default. */
  payInvoice: billing(activeOwner, { subscriptionId, paymentMethodId: z.optional(id) }, challenge),
  getPaymentMethods: read(
    { ...owner, asksProvider: true },
    { subscriptionId },
    gives<{ paymentMethods: PaymentMethod[] }>(),
  ),
  createSetupIntent: billing(
    { ...activeOwner, secret: true },
    { subscriptionId },
    gives<{ clientSecret: string }>(),
  ),
  setDefaultPaymentMethod: billing(activeOwner, { subscriptionId, paymentMethodId: id }),
  deletePaymentMethod: billing(activeOwner, { subscriptionId, paymentMethodId: id }),
  getBillingDetails: read(
    { ...owner, asksProvider: true },
    { subscriptionId },
    gives<ProjectBilling>(),
  ),
  /** Optional fields that are left out stay as they are. */
  updateBillingDetails: billing(activeOwner, {
    subscriptionId,
    ...billingDetails,
    billing_email: z.optional(z.nullable(email)),
    tax_id: z.optional(z.nullable(taxId)),
    ...onInvoices,
    receipts: z.optional(z.boolean()),
  }),
  /** Removes every card. With `keepCard`, the one that pays stays until another is the default. */
  transferSubscriptionOwnership: billing(activeOwner, {
    subscriptionId,
    newOwnerId: id,
    keepCard: z._default(z.boolean(), false),
  }),
  /** Cards that the caller added, including cards in subscriptions that they have left. */
  listOwnPaymentMethods: read(
    { ...signedIn, asksProvider: true },
    {},
    gives<{ paymentMethods: OwnPaymentMethod[] }>(),
  ),
  /** For the person who added the card, unless they own the subscription and pay with it. */
  deleteOwnPaymentMethod: external(signedIn, { subscriptionId, paymentMethodId: id }),
} as const satisfies Record<string, CallRow>

/** Every call: of the core and of the modules that are on. */
export const calls = { ...ofCore, ...ofModules('calls') }

export type CoreCallName = keyof typeof ofCore
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
