import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'

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
  settings: Record<string, string>
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
  created: EpochSeconds
}

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

export type Invoice = {
  id: string
  /** Missing until the provider has given one. */
  number: string | null
  created: EpochSeconds
  /** Minor units of `currency`. */
  total: number
  currency: string
  status: InvoiceStatus
  hosted_invoice_url: string | null
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

export type BillingDetails = { name: string; phone: string; address: Address }

export type BillingInfo = { billingDetails: BillingDetails; paymentMethodId: string }

export type ActionCodeMode = 'verifyEmail' | 'resetPassword' | 'verifyAndChangeEmail' | 'recoverEmail' | 'secureAccount'

/** What somebody is sent to a sign-in provider for. */
export type ProviderIntent = 'signIn' | 'link' | 'reauthenticate'
