import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type { ActivityKind } from './activity.ts'
import type { Settings } from './settings.ts'
import type { TaxIdType } from './tax-ids.ts'

/** ISO 8601 with milliseconds, UTC. */
export type Timestamp = string
/** Whole seconds since the epoch. */
export type EpochSeconds = number

/** Who is signed in, as the identity provider knows them. */
export type AuthUser = {
  uid: string
  email: string
  emailVerified: boolean
  displayName: string
  creationTime: Timestamp
}

/** What a verification link says of the account that it verified, so that somebody who didn't make it notices. */
export type VerifiedAccount = Pick<AuthUser, 'email' | 'displayName' | 'creationTime'>

/** What the product keeps about a person. */
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

/** Where somebody is signed in. */
export type Session = {
  id: string
  created: EpochSeconds
  last_used: EpochSeconds
  /** The network address it was last used from. */
  address: string
  user_agent: string
  /** The session that asks. */
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
  /** When the running week ends and the next one is charged; nothing for a free or canceled project. */
  renews: EpochSeconds | null
  /** What a week costs this project, in minor units of `currency`: its plan's price of when it was bought. Missing while it costs nothing. */
  weekly: number | null
  currency: string | null
  /** When the plan ends by itself, because the operator was asked to end it with the week. */
  ends: EpochSeconds | null
  /** The operator lets nothing be charged for now. */
  is_paused: boolean
  /** A plan is to be paid for and there is no card to charge. */
  needs_card: boolean
  settings: Settings
  /** User ids by the permission they hold; a key nobody holds is missing. */
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

/** A line of the users list: a member, or somebody invited (`pending`, with `invite_id` and `pending_permissions`). */
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
  /** An invitation that nobody answered in time: it holds no seat until it is sent again. */
  is_expired: boolean
  created: EpochSeconds
}

/** Of a project's plan: how many there are, and how many are taken by members and by open invitations. */
export type Seats = { total: number; members: number; pending: number }

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

/** The payer has asked their bank for the money back, and how that ended. */
export type DisputeState = 'open' | 'won' | 'lost'

export type Invoice = {
  id: string
  /** Missing until the provider has given one. */
  number: string | null
  created: EpochSeconds
  /** Minor units of `currency`. */
  total: number
  currency: string
  status: InvoiceStatus
  /** Of `total`, what money was taken for; the rest was credit, or too little to be charged. */
  amount_paid: number
  amount_refunded: number
  dispute: DisputeState | null
  /** Addresses of ours, which stay: the provider's own end after a month. */
  hosted_invoice_url: string | null
  /** The PDF. */
  invoice_pdf: string | null
  /** When the provider tries again to collect an open one; missing when it has given up. */
  next_payment_attempt: EpochSeconds | null
}

/** Something that somebody did. Names are those of then, and `''` for somebody who has deleted their account since. */
export type Activity = {
  id: string
  created: EpochSeconds
  kind: ActivityKind
  /** Who did it; missing for what happens by itself, such as the end of a project that was not paid. */
  actor: { id: string; name: string } | null
  /** To whom it was done: a name or an e-mail address. */
  subject: string | null
  /** The project, where it was in one that whoever asks is in. */
  subscription: { id: string; name: string } | null
  /**
   * What changed, by kind: `{ from, to }` of a plan, permissions, a name or an address, `{ plan }` of a new project, `{ because }` of its
   * end, `{ permissions }` of an invitation or a new member, `{ fields }` of settings and billing details, `{ brand, last4 }` of a card,
   * `{ device, address }` of a sign-in, `{ provider }` of a link.
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
  /** Who added it, which alone gives nobody else a right to it; missing where that is not known. */
  added_by: { id: string; name: string } | null
}

/** A card that somebody added, wherever it is. */
export type OwnPaymentMethod = Omit<PaymentMethod, 'added_by'> & {
  subscription_id: string
  subscription_name: string
  /** What the person who added it is in the project today; missing for somebody who is not in it. */
  standing: 'owner' | 'member' | null
  /** A plan is paid with it. */
  pays_plan: boolean
}

export type Address = {
  line1: string
  line2?: string
  city: string
  state: string
  postal_code: string
  /** ISO 3166-1 alpha-2. */
  country: string
}

/** What a tax depends on, as far as it is known. */
export type PayerPlace = Pick<Address, 'country'> & Partial<Pick<Address, 'state' | 'postal_code'>>

export type BillingDetails = { name: string; phone: string; address: Address }

export type TaxId = { type: TaxIdType; value: string }

/** What a project has told about who pays. Fields that were never told are empty. */
export type ProjectBilling = BillingDetails & {
  /** Where receipts and questions about payments go instead of to the owner. */
  billing_email: string | null
  tax_id: TaxId | null
  /** Whether every payment is followed by a receipt by e-mail. */
  receipts: boolean
  /** What was given back and pays for the next weeks; minor units of the plan's currency. */
  credit: number
}

/** `unused`: the rest of the week on the present plan, given back. `remaining`: the rest of the week on the new one. `week`: a whole week. */
export type PreviewLine = {
  /** `tax`: on top of the others. */
  kind: 'unused' | 'remaining' | 'week' | 'tax' | 'other'
  plan_id: PlanId | null
  /** Minor units; below zero is given back. */
  amount: number
}

/** What a purchase or a change of plan costs. Amounts in minor units of `currency`. */
export type PlanChangePreview = {
  currency: string
  lines: PreviewLine[]
  /** Of credit from earlier, what pays part of today's charge. */
  credit_used: number
  /** Charged today. */
  due: number
  /** Kept as credit for later charges. */
  credited: number
  /** Charged every week from then on; 0 for a free plan. */
  weekly: number
  /** When `weekly` is charged for the first time after today; missing for a free plan. */
  next_charge: EpochSeconds | null
}

export type BillingInfo = {
  billingDetails: BillingDetails
  paymentMethodId: string
  tax_id?: TaxId | undefined
}

export type ActionCodeMode =
  | 'verifyEmail'
  | 'resetPassword'
  | 'verifyAndChangeEmail'
  | 'recoverEmail'
  | 'secureAccount'

/** What somebody is sent to a sign-in provider for. */
export type ProviderIntent = 'signIn' | 'link' | 'reauthenticate'
