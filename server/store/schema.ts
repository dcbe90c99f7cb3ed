import type { LanguageCode } from '#config/languages.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type { Frequency } from '#contract/plan.ts'
import type { RecordedKind } from '#contract/activity.ts'
import type {
  AccessToken,
  ActionCodeMode,
  Discount,
  DisputeState,
  EpochSeconds,
  FactorType,
  InviteStatus,
  InvoiceStatus,
  LookOnly,
  PaymentState,
  ProviderIntent,
  SubscriptionStatus,
} from '#contract/entities.ts'
import type { Mailed, NoticeWays } from '#contract/notices.ts'
import type { Price } from '#contract/prices.ts'
import { type Settings } from '#contract/settings.ts'
import { sql } from 'drizzle-orm'
import type { CustomerId, ProviderSubscriptionId, SubscriptionId } from '../platform/ids.ts'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  serial,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const users = pgTable('users', {
  id: text().primaryKey(),
  /** Trimmed and lower-cased. */
  email: text().notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  /** The account's user has shown that the address is theirs: see server/identity/claims.ts. */
  claimed: boolean().notNull().default(false),
  /** When the owner of the address said that they did not create the account. */
  rejectedAt: at('rejected_at'),
  displayName: text('display_name').notNull(),
  avatarUrl: text('avatar_url'),
  language: text().$type<LanguageCode>(),
  disabled: boolean().notNull().default(false),
  notices: jsonb().$type<Mailed>().notNull().default({}),
  noticeWays: jsonb('notice_ways').$type<NoticeWays>().notNull().default({}),
  /** A sign-in takes a second step, because the user has a factor of type `totp`. */
  hasSecondStep: boolean('has_second_step').notNull().default(false),
  /** When an operator's removal of the user's factors takes place, unless somebody stops it. */
  factorsRemovedAt: at('factors_removed_at'),
  /** Increases with each changed credential. A sign-in that checked the former gets no session. */
  credentialsVersion: integer('credentials_version').notNull().default(0),
  createdAt: at('created_at').notNull(),
  updatedAt: at('updated_at').notNull(),
})

const userId = () => text('user_id').references(() => users.id, { onDelete: 'cascade' })

/**
 * Passwords as argon2id hashes, in the PHC string format. Until its person signs in, an account that
 * was moved here has the hash of another system: server/providers/identity/moved-hashes.ts.
 */
export const passwords = pgTable('passwords', {
  userId: userId().primaryKey(),
  hash: text().notNull(),
})

/** An account at a sign-in provider, linked to one of ours. */
export const providerLinks = pgTable(
  'provider_links',
  {
    provider: text().notNull(),
    /** The provider's permanent id of the person (`sub`). */
    subject: text().notNull(),
    userId: userId().notNull(),
    email: text(),
    /** Linked before the address was verified, perhaps by somebody other than its owner. */
    attachedUnverified: boolean('attached_unverified').notNull().default(false),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    uniqueIndex('provider_links_by_user').on(table.userId, table.provider),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: userId().notNull(),
    /** The session ends a fixed time after this, even if it is renewed. */
    startedAt: at('started_at').notNull().defaultNow(),
    /** When the user last signed in or repeated the password in this session. */
    signedInAt: at('signed_in_at').notNull(),
    /** When a second step was last passed in this session. */
    secondStepAt: at('second_step_at'),
    usedAt: at('used_at').notNull(),
    address: text().notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (table) => [index('sessions_by_user').on(table.userId)],
)

const sessionId = () => text('session_id').references(() => sessions.id, { onDelete: 'cascade' })

export const factors = pgTable(
  'factors',
  {
    id: text().primaryKey(),
    userId: userId().notNull(),
    type: text().$type<FactorType>().notNull(),
    displayName: text('display_name').notNull(),
    /** Of an app, sealed, because codes are computed from it. */
    secret: text(),
    /** The time step, in half minutes since 1970, of the newest code of an app that was accepted. */
    lastStep: integer('last_step'),
    /** Of a passkey, in base64url. */
    credentialId: text('credential_id').unique(),
    publicKey: text('public_key'),
    /** The domain that it was made for. */
    rpId: text('rp_id'),
    /** How often it was used, as the authenticator counts; 0 if it does not. */
    counter: bigint({ mode: 'number' }),
    /** How browsers reach it. */
    transports: text().array(),
    /** Several devices of its person have it, or can. */
    isSynced: boolean('is_synced'),
    createdAt: at('created_at').notNull(),
    lastUsedAt: at('last_used_at'),
  },
  (table) => [index('factors_by_user').on(table.userId)],
)

/** Those that are not used yet. They have 120 random bits, so nobody finds one by its hash. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: userId().notNull(),
    /** SHA-256. */
    hash: text().notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

/** Sign-ins that wait for their second step. A resolver is the challenge for passkeys too. */
export const resolvers = pgTable(
  'resolvers',
  {
    /** SHA-256 of the resolver. */
    hash: text().primaryKey(),
    /** SHA-256 of the secret in a cookie of the browser that began the sign-in. */
    browserHash: text('browser_hash').notNull(),
    /** Null for a challenge that the passkey of anybody may answer. */
    userId: userId(),
    /** The user's when the first step was passed. */
    credentialsVersion: integer('credentials_version'),
    /** The address that the first step proved, so that the second one claims the account. */
    claims: text(),
    tries: integer().notNull().default(0),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    index('resolvers_by_user').on(table.userId),
    index('resolvers_by_end').on(table.expiresAt),
  ],
)

/** Factors that are being set up. */
export const enrollments = pgTable(
  'enrollments',
  {
    id: text().primaryKey(),
    userId: userId().notNull(),
    sessionId: sessionId().notNull(),
    type: text().$type<FactorType>().notNull(),
    displayName: text('display_name').notNull(),
    /** Sealed. Of a passkey, the challenge. */
    secret: text().notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    index('enrollments_by_user').on(table.userId),
    index('enrollments_by_session').on(table.sessionId),
    index('enrollments_by_end').on(table.expiresAt),
  ],
)

/** Access and refresh tokens, stored only as SHA-256 hashes. Nobody can sign in with a hash. */
export const sessionTokens = pgTable(
  'session_tokens',
  {
    hash: text().primaryKey(),
    sessionId: sessionId().notNull(),
    kind: text().$type<'access' | 'refresh'>().notNull(),
    expiresAt: at('expires_at').notNull(),
    /** When a refresh token was exchanged for new tokens. */
    usedAt: at('used_at'),
  },
  (table) => [
    index('session_tokens_by_session').on(table.sessionId),
    index('session_tokens_by_end').on(table.expiresAt),
  ],
)

/** Sign-ins at a provider that are under way. Secrets are stored as hashes. */
export const providerFlows = pgTable(
  'provider_flows',
  {
    /** SHA-256 of the `state` that the provider sends back. */
    stateHash: text('state_hash').primaryKey(),
    /** SHA-256 of the secret in a cookie of the browser that began the flow. */
    secretHash: text('secret_hash').notNull(),
    provider: text().notNull(),
    intent: text().$type<ProviderIntent>().notNull(),
    /** Missing for a sign-in. Otherwise the flow ends with this user's session. */
    userId: userId(),
    sessionId: sessionId(),
    language: text().$type<LanguageCode>(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    index('provider_flows_by_user').on(table.userId),
    index('provider_flows_by_session').on(table.sessionId),
    index('provider_flows_by_end').on(table.expiresAt),
  ],
)

export const actionCodes = pgTable(
  'action_codes',
  {
    hash: text().primaryKey(),
    userId: userId().notNull(),
    mode: text().$type<ActionCodeMode>().notNull(),
    /** The address that the code is about. */
    email: text().notNull(),
    /** The session in which the code was requested. Revoking the session ends the code. */
    sessionId: text('session_id'),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** When the code was used, or when another code or a changed credential ended it. */
    endedAt: at('ended_at'),
  },
  (table) => [
    index('action_codes_by_user').on(table.userId, table.mode),
    index('action_codes_by_email').on(table.email),
  ],
)

/** `isOwn`: the owner made it, and can take it back. */
export type ScheduledChange = {
  planId: PlanId
  price: Price | null
  at: EpochSeconds
  isOwn: boolean
}

export const subscriptions = pgTable(
  'subscriptions',
  {
    id: text().$type<SubscriptionId>().primaryKey(),
    /** Missing if the owner deleted their account after the end or before the first payment. */
    ownerId: text('owner_id').references(() => users.id),
    planId: text('plan_id').$type<PlanId>().notNull(),
    /** `incomplete`, and seen by nobody, until the first payment for a paid plan succeeds. */
    status: text().$type<SubscriptionStatus | 'incomplete'>().notNull(),
    payment: text().$type<PaymentState>().notNull().default('ok'),
    settings: jsonb().$type<Settings>().notNull().default({}),
    /** From when on its calls need a session that has passed a second step. */
    secondFactorFrom: at('second_factor_from'),
    /** Who last changed the settings, and when; both are missing before the first change. */
    settingsChangedBy: text('settings_changed_by'),
    settingsChangedAt: at('settings_changed_at'),
    createdAt: at('created_at').notNull(),
    /** Stripe's ids; missing if the subscription has no customer or no subscription at Stripe. */
    customerId: text('stripe_customer_id').$type<CustomerId>(),
    providerSubscriptionId: text('stripe_subscription_id').$type<ProviderSubscriptionId>().unique(),
    renewsAt: at('renews_at'),
    /**
     * What the provider charges for each period, in minor units of `currency`; missing on a free
     * plan. The column has the name that former releases know, which sold only weeks.
     */
    amount: integer('weekly_amount'),
    frequency: text().$type<Frequency>().notNull().default('week'),
    every: integer().notNull().default(1),
    /** ISO 4217, lower case. The first payment fixes it; missing before. */
    currency: text(),
    /** When the provider subscription ends, if somebody has set an end at the provider. */
    endsAt: at('ends_at'),
    /** Who has set it; missing if it was an operator before this column came. */
    endsBy: text('ends_by').$type<'owner' | 'operator'>(),
    /** The change that takes effect when the paid period ends. */
    scheduled: jsonb().$type<ScheduledChange>(),
    /** When the trial ends, or has ended without a payment since; missing if there is none. */
    trialEndsAt: at('trial_ends_at'),
    discount: jsonb().$type<Discount>(),
    /** When the oldest payment that is overdue was due; missing if none is. */
    overdueSince: at('overdue_since'),
    /** Why members may only look, and until when; missing if they may do everything. */
    lookOnly: jsonb('look_only').$type<LookOnly>(),
    collectionPaused: boolean('collection_paused').notNull().default(false),
    /** Whether the provider has a default card to charge; true on a free plan. */
    hasCard: boolean('has_card').notNull().default(true),
    /** The address for receipts; the owner gets them if it is missing. */
    billingEmail: text('billing_email'),
    receipts: boolean().notNull().default(true),
    purchaseOrder: text('purchase_order'),
    invoiceFooter: text('invoice_footer'),
    /** The target of a change under way. Until it ends, the seats of the smaller plan count. */
    nextPlanId: text('next_plan_id').$type<PlanId>(),
    /** The plan of a change that is about to take effect. The smaller plan's seats count. */
    heldPlanId: text('held_plan_id').$type<PlanId>(),
    /** When something is due before a renewal or a change, and until when that is done. */
    aheadAt: at('ahead_at'),
    aheadDone: at('ahead_done'),
    /** The user who requested the change or cancellation that is under way. */
    requestedBy: text('requested_by'),
    /** The try to charge, by the provider's clock, of which the last mail about a failure told. */
    dunnedAt: at('dunned_at'),
    /** When the billing lease expires; missing if nobody holds it. */
    billingLeaseUntil: at('billing_lease_until'),
    /** The server that holds the lease. When it dies, the lease is free. */
    billingLeaseBy: text('billing_lease_by'),
    /**
     * Whether the buyer has been shown what became of the purchase; missing if the purchase does
     * not ask for that, and after a transfer.
     */
    outcomeSeen: boolean('outcome_seen'),
    /** The ticket of the last reading from the provider that was written into this row. */
    synced: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [
    index('subscriptions_by_owner').on(table.ownerId),
    index('subscriptions_by_customer').on(table.customerId),
    index('subscriptions_incomplete')
      .on(table.createdAt)
      .where(sql`${table.status} = 'incomplete'`),
    index('subscriptions_changing')
      .on(table.id)
      .where(sql`${table.nextPlanId} is not null`),
    index('subscriptions_ending')
      .on(table.id)
      .where(sql`${table.status} = 'active' and ${table.requestedBy} is not null`),
    index('subscriptions_ahead')
      .on(table.aheadAt)
      .where(sql`${table.aheadAt} is not null`),
    index('subscriptions_leased')
      .on(table.billingLeaseBy)
      .where(sql`${table.billingLeaseBy} is not null`),
  ],
)

/** Whether a change of a subscription's plan is begun and not finished. */
export const isChangingPlan = sql`${subscriptions.nextPlanId} is not null`

/** Whether the cancellation of a subscription is begun and not finished. */
export const isEnding = sql`(${subscriptions.status} = 'active' and ${subscriptions.requestedBy} is not null)`

/** The values of a subscription that no provider subscription pays for. */
export const withoutPayment = {
  payment: 'ok',
  renewsAt: null,
  amount: null,
  endsAt: null,
  endsBy: null,
  scheduled: null,
  trialEndsAt: null,
  discount: null,
  overdueSince: null,
  lookOnly: null,
  heldPlanId: null,
  aheadAt: null,
  collectionPaused: false,
  hasCard: true,
} as const satisfies Partial<typeof subscriptions.$inferInsert>

export const syncTickets = pgSequence('sync_tickets')

const subscriptionId = () =>
  text('subscription_id')
    .$type<SubscriptionId>()
    .notNull()
    .references(() => subscriptions.id, { onDelete: 'cascade' })

export const members = pgTable(
  'members',
  {
    subscriptionId: subscriptionId(),
    userId: userId().notNull(),
    permissions: text().array().$type<PermissionKey[]>().notNull(),
    createdAt: at('created_at').notNull(),
    /** The member has put the canceled subscription out of sight. */
    hasHidden: boolean('has_hidden').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.userId] }),
    index('members_by_user').on(table.userId, table.subscriptionId),
  ],
)

/** What programs sign in with, in the name of their makers. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    id: text().primaryKey(),
    /** SHA-256. */
    hash: text().notNull().unique(),
    name: text().notNull(),
    access: text().$type<AccessToken['access']>().notNull(),
    userId: userId().notNull(),
    /** Null if it is for all projects of its maker. */
    subscriptionId: text('subscription_id').$type<SubscriptionId>(),
    /** When the session that made it had passed a second step. */
    secondStepAt: at('second_step_at'),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** Its maker has been mailed that it ends soon, or knew that when making it. */
    isEndTold: boolean('is_end_told').notNull().default(false),
    lastUsedAt: at('last_used_at'),
    lastNetwork: text('last_network'),
    uses: integer().notNull().default(0),
  },
  (table) => [
    // A token for a project ends with its maker's membership.
    foreignKey({
      name: 'access_tokens_of_member',
      columns: [table.subscriptionId, table.userId],
      foreignColumns: [members.subscriptionId, members.userId],
    }).onDelete('cascade'),
    index('access_tokens_by_user').on(table.userId),
    index('access_tokens_by_membership').on(table.subscriptionId, table.userId),
    index('access_tokens_by_end').on(table.expiresAt),
  ],
)

export const invites = pgTable(
  'invites',
  {
    id: text().primaryKey(),
    subscriptionId: subscriptionId(),
    email: text().notNull(),
    name: text(),
    permissions: text().array().$type<PermissionKey[]>().notNull(),
    status: text().$type<InviteStatus>().notNull(),
    hostId: text('host_id').references(() => users.id, { onDelete: 'set null' }),
    codeHash: text('code_hash').notNull().unique(),
    /** The code of the link that an administrator copied. Unlike the mailed one, it proves nothing. */
    linkHash: text('link_hash').unique(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    endedAt: at('ended_at'),
  },
  (table) => [
    uniqueIndex('invites_one_pending')
      .on(table.subscriptionId, table.email)
      .where(sql`${table.status} = 'pending'`),
    // Not a partial one: those serve any question about pending invites, in all of their rows.
    index('invites_by_email').on(table.email),
    index('invites_by_host').on(table.hostId, table.email),
  ],
)

/** The link of a project by which people join it. */
export const joinLinks = pgTable(
  'join_links',
  {
    subscriptionId: text('subscription_id').$type<SubscriptionId>().primaryKey(),
    /** Who made it. */
    hostId: text('host_id').notNull(),
    codeHash: text('code_hash').notNull().unique(),
    /** Sealed: administrators see it again, and a reader of the database doesn't. */
    code: text().notNull(),
    permissions: text().array().$type<PermissionKey[]>().notNull(),
    /** How many more people may join by it; missing if any number may. */
    usesLeft: integer('uses_left'),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    // It ends with its maker's membership.
    foreignKey({
      name: 'join_links_of_member',
      columns: [table.subscriptionId, table.hostId],
      foreignColumns: [members.subscriptionId, members.userId],
    }).onDelete('cascade'),
    index('join_links_by_host').on(table.hostId),
  ],
)

/** What an owner offers to an administrator: the project, with its bills. */
export const ownershipOffers = pgTable(
  'ownership_offers',
  {
    subscriptionId: text('subscription_id').$type<SubscriptionId>().primaryKey(),
    userId: text('user_id').notNull(),
    /** The card of the owner that goes on paying; missing if none does. */
    cardId: text('card_id'),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    // It ends with the membership of who may accept it.
    foreignKey({
      name: 'ownership_offers_to_member',
      columns: [table.subscriptionId, table.userId],
      foreignColumns: [members.subscriptionId, members.userId],
    }).onDelete('cascade'),
    index('ownership_offers_by_user').on(table.userId),
  ],
)

/** What people ask who are not in a project: at most one request of each person to each project. */
export const joinRequests = pgTable(
  'join_requests',
  {
    id: text().primaryKey(),
    subscriptionId: subscriptionId(),
    userId: userId().notNull(),
    createdAt: at('created_at').notNull(),
    /** Until some time after that, another request of the person changes nothing. */
    declinedAt: at('declined_at'),
  },
  (table) => [
    uniqueIndex('join_requests_one').on(table.subscriptionId, table.userId),
    index('join_requests_by_user').on(table.userId),
  ],
)

/** People who were removed from a project and are not in it again: no link lets them in. */
export const removedMembers = pgTable(
  'removed_members',
  {
    subscriptionId: subscriptionId(),
    userId: userId().notNull(),
    removedAt: at('removed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.userId] }),
    index('removed_members_by_user').on(table.userId),
  ],
)
/** Mailboxes without an account that want no invitations, as keyed hashes: see core/mailboxes.ts. */
export const uninvitedMailboxes = pgTable('uninvited_mailboxes', {
  mailbox: text().primaryKey(),
  at: at('at').notNull(),
})

export const invoices = pgTable(
  'invoices',
  {
    id: text().primaryKey(),
    subscriptionId: subscriptionId(),
    number: text(),
    createdAt: at('created_at').notNull(),
    /** Minor units of `currency`. */
    total: integer().notNull(),
    currency: text().notNull(),
    status: text().$type<InvoiceStatus>().notNull(),
    /** The part of `total` that was charged, without credit and sums too small to charge. */
    amountPaid: integer('amount_paid').notNull().default(0),
    amountRefunded: integer('amount_refunded').notNull().default(0),
    dispute: text().$type<DisputeState>(),
    reason: text(),
    /** The secret in the URLs of the invoice's page and PDF, which need no session. */
    token: text()
      .notNull()
      .unique()
      .default(sql`replace(gen_random_uuid()::text, '-', '')`),
    nextPaymentAttempt: at('next_payment_attempt'),
    /** How often the provider has tried to charge it. */
    attempts: integer().notNull().default(0),
  },
  (table) => [
    index('invoices_by_subscription').on(
      table.subscriptionId,
      table.createdAt.desc(),
      table.id.desc(),
    ),
  ],
)

/** What a person, a project or a card has once: a trial, or a promotion code. */
export const usedOnce = pgTable(
  'used_once',
  {
    /** `trial`, or the provider's id of a promotion code. */
    what: text().notNull(),
    /** A keyed hash of a user's id, a project's, a card's number, or a deleted account's address. */
    by: text().notNull(),
    /** The project that it was used for. */
    subscriptionId: text('subscription_id').$type<SubscriptionId>().notNull(),
    /** Whether that purchase or change has succeeded. */
    settled: boolean().notNull().default(false),
    usedAt: at('used_at').notNull(),
    /** When a row about a deleted account is removed. */
    keptUntil: at('kept_until'),
  },
  (table) => [
    primaryKey({ columns: [table.what, table.by] }),
    index('used_once_by_subscription').on(table.subscriptionId),
    index('used_once_by_end')
      .on(table.keptUntil)
      .where(sql`${table.keptUntil} is not null`),
  ],
)

/** The user who added each card. Only the provider knows which cards still exist. */
export const cards = pgTable(
  'cards',
  {
    /** The provider's id of the card. */
    id: text().primaryKey(),
    subscriptionId: subscriptionId(),
    addedBy: text('added_by').references(() => users.id, { onDelete: 'set null' }),
    /** Lower case: `visa`. */
    brand: text().notNull(),
    last4: text().notNull(),
    expMonth: integer('exp_month').notNull(),
    expYear: integer('exp_year').notNull(),
    /** Since then a job is to remove the card at the provider, and nobody is offered it. */
    withdrawnAt: at('withdrawn_at'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('cards_by_subscription').on(table.subscriptionId),
    index('cards_by_adder').on(table.addedBy),
  ],
)

/** The inbox for webhooks. It has each event once, and a job processes the event. */
export const providerEvents = pgTable(
  'provider_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    objectType: text('object_type').notNull(),
    objectId: text('object_id').notNull(),
    receivedAt: at('received_at').notNull(),
    processedAt: at('processed_at'),
    /** Why the last attempt to process the event failed. */
    error: text(),
  },
  (table) => [
    index('provider_events_waiting')
      .on(table.receivedAt)
      .where(sql`${table.processedAt} is null`),
    index('provider_events_by_age').on(table.receivedAt),
  ],
)

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: userId().notNull(),
    key: text().notNull(),
    /** A keyed hash of the call's name and body. */
    request: text().notNull(),
    /** Missing while the first request is running. */
    answer: jsonb().$type<unknown>(),
    createdAt: at('created_at').notNull(),
    /** The server that runs the first request of a call in steps. */
    claimedBy: text('claimed_by'),
    /** Only servers of former versions use it. */
    begun: jsonb(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('idempotency_keys_by_age').on(table.createdAt),
  ],
)

/** The activity log. An entry keeps the names of its time, until the account is deleted. */
export const activity = pgTable(
  'activity',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: at('at').notNull(),
    kind: text().$type<RecordedKind>().notNull(),
    /** Missing for an entry about an account. */
    subscriptionId: text('subscription_id').references(() => subscriptions.id, {
      onDelete: 'cascade',
    }),
    actorId: text('actor_id').references(() => users.id, { onDelete: 'set null' }),
    /** Missing if nobody did it, as when an unpaid subscription ends. */
    actorName: text('actor_name'),
    subjectId: text('subject_id').references(() => users.id, { onDelete: 'set null' }),
    /** The name or e-mail address of the person it was done to. */
    subject: text(),
    details: jsonb().$type<Record<string, string | string[]>>().notNull().default({}),
  },
  (table) => [
    index('activity_by_subscription').on(table.subscriptionId, table.id),
    index('activity_by_actor').on(table.actorId, table.id),
    index('activity_by_subject').on(table.subjectId, table.id),
    index('activity_by_age').on(table.at),
  ],
)

/** The waits between the tries of a job grow: the last comes about two days after the first. */
export const maxAttempts = 17

/** What is to be done after the transaction that adds it: see server/jobs/worker.ts. */
export const jobs = pgTable(
  'jobs',
  {
    /** Above those of version 1.0.0, because mails are known by the ids of their jobs. */
    id: bigint({ mode: 'number' })
      .primaryKey()
      .generatedAlwaysAsIdentity({ startWith: 1_000_000_000_000 }),
    /** The name of the function that runs. */
    task: text().notNull(),
    /** There is at most one job with a key. */
    key: text().unique(),
    payload: json().notNull(),
    attempts: integer().notNull().default(0),
    /** When it may run again, or null if no tries are left. */
    runAt: at('run_at').defaultNow(),
    createdAt: at('created_at').notNull().defaultNow(),
    lastError: text('last_error'),
    /** The server that has taken it. */
    server: text(),
    takenAt: at('taken_at'),
  },
  (table) => [
    index('jobs_by_time')
      .on(table.runAt, table.id)
      .where(sql`server is null`),
    index('jobs_by_server')
      .on(table.server)
      .where(sql`server is not null`),
  ],
)

/**
 * Notices of transactions, which `server/jobs/relay.ts` tells in their order. Version 1.0.0 also puts
 * jobs here.
 */
export const outbox = pgTable('outbox', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  kind: text().$type<'notice' | 'job' | 'jobRemoval'>().notNull(),
  /** The name of a job. */
  task: text(),
  /** The key of a job to add, which replaces a waiting job with this key, or to remove. */
  jobKey: text('job_key'),
  /** A job's payload, or a notice of server/live/hub.ts. */
  payload: json().$type<object>(),
})

/** Mails that the server keeps instead of sending them, while no mail server is configured. */
export const keptMails = pgTable(
  'kept_mails',
  {
    id: serial().primaryKey(),
    /** The job that sent the mail: one that runs again after a crash keeps no second mail. */
    jobId: bigint('job_id', { mode: 'number' }).unique(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    at: at('at').notNull(),
  },
  (table) => [index('kept_mails_by_address').on(table.to, table.id.desc())],
)

/** Mails that a mail server refused for good, because it does not know the recipient. */
export const refusedMails = pgTable(
  'refused_mails',
  {
    /** The hash of the mail's code, or the id of the subscription that it is about. */
    about: text().notNull(),
    address: text().notNull(),
    mail: text().notNull(),
    /** What the mail server answered. */
    reply: text().notNull(),
    at: at('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.about, table.address] }),
    index('refused_mails_by_address').on(table.address),
  ],
)

/** What rate limits have counted. `expire` is in milliseconds since 1970. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
})

/** `schema`: the newest migration that the server knows. Those of version 1.0.0 don't say it. */
export type AboutServer = {
  host: string
  pid: number
  role: string
  version: string
  schema: string
  node: string
}

/** The servers that run. Each holds a lock while it lives: see server/store/servers.ts. */
export const servers = pgTable('servers', {
  id: text().primaryKey(),
  startedAt: at('started_at').notNull().defaultNow(),
  /** What tells operators which server it is. */
  about: jsonb().$type<Partial<AboutServer>>().notNull().default({}),
})

/** Values of one installation, such as secrets that it generated. */
export const installation = pgTable('installation', {
  name: text().primaryKey(),
  value: text().notNull(),
})
