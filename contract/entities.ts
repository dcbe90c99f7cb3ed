import type { LanguageCode } from '#config/languages.ts'
import type { limits } from '#config/limits.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type * as z from 'zod/mini'
import type { address, billingInfo, payerPlace, taxId } from './fields.ts'
import type { NoticeKind } from './notices.ts'
import type { Price } from './prices.ts'
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
  /** Whether the user has shown that the address is theirs. A verified address may not be. */
  claimed: boolean
  displayName: string
  creationTime: Timestamp
  /** When the newest link that can verify the address was mailed. Missing if there is none. */
  verificationSent?: Timestamp
}

/** The account whose address a link has verified: its recipient may not have created it. */
export type VerifiedAccount = Pick<AuthUser, 'email' | 'displayName' | 'creationTime'> & {
  /** Missing until somebody has claimed the account. */
  claimed?: true
}

/** What the product stores about a user. */
export type UserRecord = {
  id: string
  create_time: Timestamp
  display_name: string
  avatar_url: string | null
  language: LanguageCode | null
  last_updated: Timestamp
  has_password: boolean
  providers: string[]
  /** The address to verify or to change to, if a mail server refused the newest link's mail to it. */
  undeliverable_email: string | null
  /** Whether the user has an app for one-time codes or a passkey. */
  has_second_factor: boolean
  /** Whether the user gets each kind of mail about what others do in projects. */
  notices: Record<NoticeKind, boolean>
}

export type Session = {
  id: string
  created: EpochSeconds
  last_used: EpochSeconds
  /** The IP address that the session was started from. */
  address: string
  user_agent: string
  is_current: boolean
}

/** `totp`: an app that shows one-time codes. A `passkey` is a way to sign in of its own, too. */
export type FactorType = 'totp' | 'passkey'

/** What a person signs in with besides a password or a provider. */
export type Factor = {
  id: string
  type: FactorType
  display_name: string
  created: EpochSeconds
  last_used: EpochSeconds | null
  /** Of a passkey: whether several devices of its person can have it. */
  is_synced?: boolean
}

export type SubscriptionStatus = 'active' | 'canceled'
export type PaymentState = 'ok' | 'action_required' | 'past_due'

export type Subscription = {
  id: string
  owner_id: string
  plan_id: PlanId
  status: SubscriptionStatus
  payment: PaymentState
  /** When the next period is charged; null if free or canceled. */
  renews: EpochSeconds | null
  /** What the provider charges for each period; null if free. */
  price: Price | null
  /** The amount of a weekly `price`; null for another interval, and if free. */
  weekly: number | null
  /** ISO 4217, lower case. The first payment fixes it; null before. */
  currency: string | null
  /** When the project ends, if its owner or an operator has set an end; else null. */
  ends: EpochSeconds | null
  /** Who has set that end. The owner can take back only their own. */
  ends_by: 'owner' | 'operator' | null
  /**
   * The plan and price that it changes to when the paid period ends; null if none. The owner can
   * take back only their own change.
   */
  next_plan: {
    plan_id: PlanId
    price: Price | null
    at: EpochSeconds
    by: 'owner' | 'operator'
  } | null
  /** When the trial ends, or has ended without a payment since; null if there is none. */
  trial_ends: EpochSeconds | null
  /** What the provider takes off each period; null if nothing. */
  discount: Discount | null
  /** `lookOnly`: calls that need an active project are refused, except those that settle it. */
  access: 'full' | 'lookOnly'
  /** Why, and until when; null with full access. */
  look_only: LookOnly | null
  /** Whether the operator has paused charges at the provider. */
  is_paused: boolean
  /** Whether the provider will charge for the next period, but has no card. */
  needs_card: boolean
  /** From when on calls about it need a session that has passed a second step; null if none do. */
  second_factor_from: EpochSeconds | null
  settings: Settings
  /** User ids by permission; a permission that nobody holds is missing. */
  permissions: Partial<Record<PermissionKey, string[]>>
  created: EpochSeconds
}

/** A part in percent or an amount in minor units, until a time, or as long as it is paid if null. */
export type Discount = ({ percent: number } | { amount: number }) & { until: EpochSeconds | null }

/** `until`: when the project is canceled unless somebody pays. */
export type LookOnly = { because: 'trialEnded' | 'overdue'; until: EpochSeconds | null }

/** Somebody in a subscription, as its other members see them. */
export type Person = { id: string; name: string; avatar_url: string | null }

/**
 * `people` are a few of its members: the owner, then administrators, then others in the order of
 * joining. Only administrators see others than the owner, the administrators and themselves.
 */
export type SubscriptionWithPeople = Subscription & {
  people: Person[]
  /**
   * Missing unless the session has to pass a second step first. Of what others see, the row then has
   * only the name and the plan; of people, only the owner's id and the caller.
   */
  is_shut?: true
}

/** A subscription as its own screens see it. */
export type OpenedSubscription = SubscriptionWithPeople & {
  /** When the settings were last changed, or else when the subscription was created. */
  settings_changed: Timestamp
  /** The name of who changed them, for administrators; null before the first change. */
  settings_changed_by: string | null
  /**
   * For administrators: what it is being changed to, while that is at work or waits for its payment;
   * else null.
   */
  changing_to: PlanId | 'canceled' | null
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
  /** As of the subscription, which asks its members for it. */
  second_factor_from: EpochSeconds | null
}

/** A row of the list of users: a member, or a pending invite, which has an `invite_id`. */
export type SubscriptionUser = {
  /** The user's id, or the invite's id for a pending invite. */
  id: string
  display_name: string
  email: string
  permissions: PermissionKey[]
  status: 'active' | 'pending'
  pending_permissions: PermissionKey[]
  invite_id: string | null
  is_owner: boolean
  /** Whether a member has an app for one-time codes or a passkey; null for a pending invite. */
  has_second_factor: boolean | null
  /** An expired invite holds no seat until an administrator sends it again. */
  is_expired: boolean
  /** Whether the mail server knows that nobody gets mail at the address of a pending invite. */
  is_undeliverable: boolean
  created: EpochSeconds
  /** When a pending invite expires; null for a member. */
  expires: EpochSeconds | null
  /** Who invited; null for a member. */
  host_name: string | null
  /** The open invites to the subscription that a member sent. */
  invites_sent: number
}

/** `members` and `pending` are the seats that members and open invites take. */
export type Seats = { total: number; members: number; pending: number }

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

/** `open`: the payer's bank disputes the payment. `won`, `lost`: how that ended for us. */
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
  /** The invoice's page on our server. Its URL does not expire, unlike the provider's. */
  hosted_invoice_url: string | null
  invoice_pdf: string | null
  /** When the provider next tries to collect an open invoice; null if it will not try again. */
  next_payment_attempt: EpochSeconds | null
}

export type PaymentMethod = {
  id: string
  /** Whether the provider charges this card for the plan. */
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
  /** Null if our store does not know who added the card. */
  added_by: { id: string; name: string } | null
}

/** A card that the caller added, in any subscription. */
export type OwnPaymentMethod = Omit<PaymentMethod, 'added_by'> & {
  subscription_id: string
  subscription_name: string
  /** The caller's role in the subscription today; null if they are not in it. */
  standing: 'owner' | 'member' | null
  /** Whether a plan is paid with this card now. */
  pays_plan: boolean
}

export type Address = z.output<typeof address>

/** The part of a payer's address that the tax depends on, as far as it is known. */
export type PayerPlace = z.output<typeof payerPlace>

export type BillingInfo = z.output<typeof billingInfo>
export type BillingDetails = BillingInfo['billingDetails']
export type TaxId = z.output<typeof taxId>

/** The billing details of a subscription. Fields that were never filled in are empty. */
export type ProjectBilling = BillingDetails & {
  /** The address that gets receipts; the owner gets them if this is null. */
  billing_email: string | null
  /** A mail server has refused the address that gets receipts, or the owner's. */
  billing_email_refused?: true
  tax_id: TaxId | null
  /** The payer's number of the order, and a text of theirs, which stand on later invoices. */
  purchase_order: string | null
  invoice_footer: string | null
  /** Whether the server mails a receipt after every payment. */
  receipts: boolean
  /** Credit that pays for the next periods, in minor units of the project's currency. */
  credit: number
  /** What is charged next, with tax and after credit. Missing if nothing is. */
  next?: { due: number; credit_used: number }
}

export type PreviewLine = {
  /**
   * `unused`: credit for the rest of the period on the present plan. `remaining`: the price of that
   * time on the new plan. `week`: the price of a whole week; `period`: that of a whole period of
   * another interval. `discount`: what is taken off the lines before. `tax`: the tax on all of these.
   */
  kind: 'unused' | 'remaining' | 'week' | 'period' | 'discount' | 'tax' | 'other'
  plan_id: PlanId | null
  /** Minor units; negative if credited. */
  amount: number
}

/** The cost of a purchase or a plan change, in minor units of `currency`. */
export type PlanChangePreview = {
  currency: string
  lines: PreviewLine[]
  /**
   * When the change takes effect. If that is later, `lines` and `credit_used` are what is charged
   * then, and nothing is due today.
   */
  starts: 'now' | EpochSeconds
  /** Earlier credit that pays a part of the charge. */
  credit_used: number
  /** The amount that the provider charges today. */
  due: number
  /** The amount that the provider keeps as credit for later charges. */
  credited: number
  /** The credit that then pays for later charges first: what was left before, and `credited`. */
  credit_left: number
  /** What the provider charges for each period after today; null for a free plan. */
  recurring: Price | null
  /** The amount of a weekly `recurring`; null for another interval, 0 for a free plan. */
  weekly: number | null
  /** When `recurring` is first charged after today; null for a free plan. */
  next_charge: EpochSeconds | null
  /** What is taken off `recurring` from `next_charge` on; null if nothing. */
  discount: Discount | null
  /**
   * When the trial ends; null without one. Until then nothing is charged: `lines` and `credit_used`
   * are what is charged then.
   */
  trial_ends: EpochSeconds | null
}

/**
 * A purchase with what became of it. `working`: another request is still at work. `processing`: so
 * is the bank. `waiting`: the bank has asked its buyer to confirm; nothing is charged until then.
 * `undone`: nothing was charged.
 */
export type PurchaseFound = {
  subscriptionId: string
  state: 'paid' | 'working' | 'processing' | 'waiting' | 'undone'
}

/** The sum of all overdue invoices, less credit, in minor units of `currency`. */
export type Owed = {
  due: number
  currency: string
  /** The card that the bank has just declined, which may be removed by now. Null if none was. */
  declined: Pick<PaymentMethod, 'id' | 'card'> | null
}

/** What a mailed link does. */
export type ActionCodeMode = keyof typeof limits.actionCodes

/** Why a user is sent to a sign-in provider. */
export type ProviderIntent = 'signIn' | 'link' | 'reauthenticate'
