import type { LanguageCode } from '#config/languages.ts'
import type { limits } from '#config/limits.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type * as z from 'zod/mini'
import type { ActivityKind } from './activity.ts'
import type { address, billingInfo, payerPlace, taxId } from './fields.ts'
import type { Settings } from './settings.ts'

/** ISO 8601 with milliseconds, UTC. */
export type Timestamp = string
/** Whole seconds since the epoch. */
export type EpochSeconds = number

/** The signed-in user as the identity provider knows them. */
export type AuthUser = {
  uid: string
  email: string
  emailVerified: boolean
  displayName: string
  creationTime: Timestamp
}

/** Shown after verifying an address, so that a person who didn't make the account notices. */
export type VerifiedAccount = Pick<AuthUser, 'email' | 'displayName' | 'creationTime'>

/** What the product stores about a user. */
export type UserRecord = {
  id: string
  create_time: Timestamp
  display_name: string
  avatar_url: string | null
  language: LanguageCode | null
  last_updated: Timestamp
  /** Whether there is a password to sign in with. */
  has_password: boolean
  /** The sign-in providers this account is linked to. */
  providers: string[]
}

export type Session = {
  id: string
  created: EpochSeconds
  last_used: EpochSeconds
  /** The network address it was last used from. */
  address: string
  user_agent: string
  /** The session of this request. */
  is_current: boolean
}

export type SubscriptionStatus = 'active' | 'canceled'
export type PaymentState = 'ok' | 'action_required' | 'past_due'

export type Subscription = {
  id: string
  owner_id: string
  plan_id: PlanId
  status: SubscriptionStatus
  payment: PaymentState
  /** When the next week is charged; null if free or canceled. */
  renews: EpochSeconds | null
  /** A week's price in minor units of `currency`, as when the plan was bought; null if free. */
  weekly: number | null
  currency: string | null
  /** When the plan ends, if the operator has set an end at the provider. */
  ends: EpochSeconds | null
  /** The operator has paused charges. */
  is_paused: boolean
  /** The plan costs money and there is no card to charge. */
  needs_card: boolean
  settings: Settings
  /** User ids by permission; a permission that nobody holds is missing. */
  permissions: Partial<Record<PermissionKey, string[]>>
  created: EpochSeconds
}

export type InviteStatus = 'pending' | 'accepted' | 'rejected' | 'revoked'

export type Invite = {
  id: string
  /** Lower-case. */
  email: string
  status: InviteStatus
  subscription_id: string
  subscription_name: string
  host_name: string
  permissions: PermissionKey[]
  created: EpochSeconds
  expires: EpochSeconds
}

/** A row of the users list: a member, or an invite (`pending`, with `invite_id`). */
export type SubscriptionUser = {
  /** The user's id, or the invite's while pending. */
  id: string
  display_name: string
  email: string
  permissions: PermissionKey[]
  status: 'active' | 'pending'
  pending_permissions: PermissionKey[]
  invite_id: string | null
  is_owner: boolean
  /** The invite has expired: it holds no seat until it is sent again. */
  is_expired: boolean
  created: EpochSeconds
}

/** Seats of the plan, and those taken by members and by pending invites. */
export type Seats = { total: number; members: number; pending: number }

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

/** The payer's bank disputes the payment, or the dispute's result. */
export type DisputeState = 'open' | 'won' | 'lost'

export type Invoice = {
  id: string
  /** Null until the provider assigns one. */
  number: string | null
  created: EpochSeconds
  /** Minor units of `currency`. */
  total: number
  currency: string
  status: InvoiceStatus
  /** The part of `total` that was charged; the rest was credit or below the minimum charge. */
  amount_paid: number
  amount_refunded: number
  dispute: DisputeState | null
  /** URLs of ours, which last; the provider's own expire after a month. */
  hosted_invoice_url: string | null
  /** The PDF. */
  invoice_pdf: string | null
  /** When the provider next tries to collect an open invoice; null when it has given up. */
  next_payment_attempt: EpochSeconds | null
}

/** An entry of the activity log. Names are as they were then, or `''` for deleted accounts. */
export type Activity = {
  id: string
  created: EpochSeconds
  kind: ActivityKind
  /** Null for what happens by itself, such as the end of an unpaid subscription. */
  actor: { id: string; name: string } | null
  /** The person concerned: a name or an e-mail address. */
  subject: string | null
  /** Null outside of subscriptions, and for those that the caller is not in. */
  subscription: { id: string; name: string } | null
  /**
   * By kind: `{ from, to }` of a plan, permissions, a name or an address; `{ plan }` of a new
   * subscription; `{ because }` of its end; `{ permissions }` of an invite or a new member;
   * `{ fields }` of settings and billing details; `{ brand, last4 }` of a card;
   * `{ device, address }` of a sign-in; `{ provider }` of a link.
   */
  details: Record<string, string | string[]>
}

export type PaymentMethod = {
  id: string
  /** Charged for the plan. */
  isDefault: boolean
  card: {
    /** Lower case: `visa`. */
    brand: string
    last4: string
    /** 1 to 12. */
    exp_month: number
    /** Four digits. */
    exp_year: number
  }
  /** Null if unknown. */
  added_by: { id: string; name: string } | null
}

/** A card that the caller added, in any subscription. */
export type OwnPaymentMethod = Omit<PaymentMethod, 'added_by'> & {
  subscription_id: string
  subscription_name: string
  /** The caller's role in the subscription today; null if they are not in it. */
  standing: 'owner' | 'member' | null
  /** A plan is paid with it. */
  pays_plan: boolean
}

export type Address = z.output<typeof address>

/** What a tax depends on, as far as it is known. */
export type PayerPlace = z.output<typeof payerPlace>

export type BillingInfo = z.output<typeof billingInfo>
export type BillingDetails = BillingInfo['billingDetails']
export type TaxId = z.output<typeof taxId>

/** Who pays for a subscription. Fields that were never filled in are empty. */
export type ProjectBilling = BillingDetails & {
  /** Gets mails about payments instead of the owner. */
  billing_email: string | null
  tax_id: TaxId | null
  /** Send a receipt by e-mail after every payment. */
  receipts: boolean
  /** Credit for the next weeks, in minor units of the plan's currency. */
  credit: number
}

export type PreviewLine = {
  /**
   * `unused`: credit for the rest of the week on the present plan. `remaining`: the rest of the
   * week on the new plan. `week`: a whole week. `tax`: on top of the others.
   */
  kind: 'unused' | 'remaining' | 'week' | 'tax' | 'other'
  plan_id: PlanId | null
  /** Minor units; negative if credited. */
  amount: number
}

/** The cost of a purchase or a plan change, in minor units of `currency`. */
export type PlanChangePreview = {
  currency: string
  lines: PreviewLine[]
  /** Earlier credit that pays a part of today's charge. */
  credit_used: number
  /** Charged today. */
  due: number
  /** Kept as credit for later charges. */
  credited: number
  /** Charged every week from then on; 0 for a free plan. */
  weekly: number
  /** When `weekly` is first charged after today; null for a free plan. */
  next_charge: EpochSeconds | null
}

/** What a mailed link does. */
export type ActionCodeMode = keyof typeof limits.actionCodes

/** Why a user is sent to a sign-in provider. */
export type ProviderIntent = 'signIn' | 'link' | 'reauthenticate'
