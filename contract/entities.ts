import type { limits } from '#config/limits.ts'
import { permissions, type PermissionKey } from '#config/permissions.ts'
import { plans, type PlanId } from '#config/plans.ts'
import * as z from 'zod/mini'
import {
  epochSeconds,
  field,
  object,
  language,
  payerPlace as payerPlaceInput,
  taxId,
  timestamp,
  ofKinds,
  type address,
  type billingInfo,
} from './fields.ts'

// What calls answer with. The app takes only the types, so nothing of this is in the browser.

/** ISO 8601 with milliseconds, UTC. */
export type Timestamp = string
/** Whole seconds since the epoch. */
export type EpochSeconds = number

const text = z.string()
const flag = z.boolean()
const count = z.int().check(z.minimum(0))
const amount = z.int()
const planIds = plans.map(({ id }) => id) as [PlanId, ...PlanId[]]
const planId = z.enum(planIds)
const permissionKey = z.enum(Object.keys(permissions) as [PermissionKey, ...PermissionKey[]])
const orNull = z.nullable

export const authUser = object('The signed-in user as the identity provider knows them.', {
  uid: field('The id of the account.', text),
  email: field('The address to sign in with, in lower case.', text),
  emailVerified: field('Whether a link mailed to the address has been opened.', flag),
  claimed: field(
    'Whether the user has shown that the address is theirs. A verified address may not be.',
    flag,
  ),
  displayName: field('The name that others see.', text),
  creationTime: field('When the account was made.', timestamp),
  verificationSent: field(
    'When the newest link that can verify the address was mailed. Missing if there is none.',
    z.optional(timestamp),
  ),
})

export const verifiedAccount = object(
  'The account whose address a link has verified: its recipient may not have created it.',
  {
    email: authUser.def.shape.email,
    displayName: authUser.def.shape.displayName,
    creationTime: authUser.def.shape.creationTime,
    claimed: field('Missing until somebody has claimed the account.', z.optional(z.literal(true))),
  },
)

export const userRecord = object('What the product stores about a user.', {
  id: field('The id of the account.', text),
  create_time: field('When the account was made.', timestamp),
  display_name: field('The name that others see.', text),
  avatar_url: field('The address of a picture; null without one.', orNull(text)),
  language: field(
    'The language of the app and of mails; null if none is chosen.',
    orNull(language),
  ),
  last_updated: field('When the record was last changed.', timestamp),
  has_password: field('Whether the user can sign in with a password.', flag),
  providers: field('The sign-in providers that are linked.', z.array(text)),
  undeliverable_email: field(
    'The address to verify or to change to, if a mail server refused the newest mail to it; else null.',
    orNull(text),
  ),
  has_second_factor: field('Whether the user has an app for one-time codes or a passkey.', flag),
  notices: object(
    'Whether the user gets each kind of mail about what others do in projects.',
    ofKinds(field('On or off.', flag)),
  ),
  notice_ways: object(
    'How else the user is told of each kind, by modules of the product.',
    ofKinds(
      object('What the user has chosen.', {
        app: field('Listed in the app.', flag),
        digest: field('Mailed once a day, in place of at once.', flag),
      }),
    ),
  ),
})

export const session = object('A place where the user is signed in.', {
  id: field('The id of the session.', text),
  created: field('When the session was started.', epochSeconds),
  last_used: field('When it last made a call, within minutes.', epochSeconds),
  address: field('The IP address that the session was started from.', text),
  user_agent: field('What its browser calls itself.', text),
  is_current: field('Whether it is the one that asks.', flag),
})

export const accessToken = object('What a program makes calls with, in the name of its maker.', {
  id: field('The id of the token, which is no secret.', text),
  name: field('What its maker calls it.', text),
  access: field(
    '`read`: of the calls that tokens may make, those that only read.',
    z.enum(['read', 'write']),
  ),
  subscription_id: field(
    'The one project that it is for; null if it is for all that its maker is in.',
    orNull(text),
  ),
  subscription_name: field('The name of that project; null if it is for all.', orNull(text)),
  maker: field(
    'Who made it, and is judged at each call.',
    z.strictObject({
      id: field('The id of the account.', text),
      name: field('The name that others see.', text),
    }),
  ),
  created: field('When it was made.', epochSeconds),
  expires: field('When it ends.', epochSeconds),
  last_used: field(
    'When it was last used, within minutes; null if it never was.',
    orNull(epochSeconds),
  ),
  last_network: field(
    'Where from: an IPv4 address, or an IPv6 network. Null if it was never used.',
    orNull(text),
  ),
  uses: field('How many calls it has made, and streams it has opened.', count),
})

export const factorType = z.enum(['totp', 'passkey'])

export const factor = object('What a person signs in with besides a password or a provider.', {
  id: field('The id of the factor.', text),
  type: field(
    '`totp`: an app that shows one-time codes. A `passkey` is a way to sign in of its own, too.',
    factorType,
  ),
  display_name: field('What its person calls it.', text),
  created: field('When it was added.', epochSeconds),
  last_used: field('When somebody last passed with it; null if nobody has.', orNull(epochSeconds)),
  is_synced: field(
    'Of a passkey: whether several devices of its person can have it.',
    z.optional(flag),
  ),
})

export const price = object('What somebody pays for each interval.', {
  amount: field('In minor units of `currency`.', amount),
  currency: field('ISO 4217, lower case.', text),
  frequency: field('The unit of the interval.', z.enum(['day', 'week', 'month', 'year'])),
  every: field('How many of these units an interval has.', z.int().check(z.minimum(1))),
})

const until = field('When it ends; null as long as the project is paid.', orNull(epochSeconds))

export const discount = field(
  'What is taken off each payment.',
  z.union([
    z.strictObject({ percent: field('A part of the price, in percent.', z.number()), until }),
    z.strictObject({ amount: field('In minor units of the currency.', amount), until }),
  ]),
)

export const lookOnly = object('Why members may only look.', {
  because: field('What has to be settled.', z.enum(['trialEnded', 'overdue'])),
  until: field(
    'When the project is canceled unless somebody pays; null if that is not known.',
    orNull(epochSeconds),
  ),
})

const setBy = z.enum(['owner', 'operator'])

const ofSubscription = {
  id: field('The id of the project.', text),
  owner_id: field('The id of the owner.', text),
  plan_id: field('The plan that it is on.', planId),
  status: field('A canceled project stays as it is.', z.enum(['active', 'canceled'])),
  payment: field(
    'Whether the bank asks for something, or a payment is overdue.',
    z.enum(['ok', 'action_required', 'past_due']),
  ),
  renews: field('When the next period is charged; null if free or canceled.', orNull(epochSeconds)),
  price: field('What the provider charges for each period; null if free.', orNull(price)),
  weekly: field(
    'The amount of a weekly `price`; null for another interval, and if free.',
    orNull(amount),
  ),
  currency: field('ISO 4217, lower case. The first payment fixes it; null before.', orNull(text)),
  ends: field(
    'When the project ends, if its owner or an operator has set an end; else null.',
    orNull(epochSeconds),
  ),
  ends_by: field(
    'Who has set that end; else null. The owner can take back only their own.',
    orNull(setBy),
  ),
  next_plan: field(
    'The plan and price that it changes to when the paid period ends; null if none. The owner can take back only their own change.',
    orNull(
      z.strictObject({
        plan_id: field('The plan that follows.', planId),
        price: field('Its price; null if free.', orNull(price)),
        at: field('When it changes.', epochSeconds),
        by: field('Who has planned it.', setBy),
      }),
    ),
  ),
  trial_ends: field(
    'When the trial ends, or has ended without a payment since; null if there is none.',
    orNull(epochSeconds),
  ),
  discount: field('What the provider takes off each period; null if nothing.', orNull(discount)),
  access: field(
    '`lookOnly`: calls that need an active project are refused, except those that settle it.',
    z.enum(['full', 'lookOnly']),
  ),
  look_only: field('Why, and until when; null with full access.', orNull(lookOnly)),
  is_paused: field('Whether the operator has paused charges at the provider.', flag),
  needs_card: field('Whether the provider will charge for the next period, but has no card.', flag),
  second_factor_from: field(
    'From when on calls about it need a session that has passed a second step; null if none do.',
    orNull(epochSeconds),
  ),
  settings: field(
    'The settings by name, such as `name`. An empty one is missing, empty text or null.',
    z.record(text, z.union([text, z.number(), flag, z.null()])),
  ),
  permissions: field(
    'User ids by permission; a permission that nobody holds is missing.',
    z.partialRecord(permissionKey, z.array(text)),
  ),
  created: field('When it was made.', epochSeconds),
}

export const someone = object('A person.', {
  id: field('The id of the account.', text),
  name: field('The name that others see.', text),
})

export const person = object('Somebody in a project, as its other members see them.', {
  id: field('The id of the account.', text),
  name: field('The name that others see.', text),
  avatar_url: field('The address of a picture; null without one.', orNull(text)),
})

const withPeople = {
  ...ofSubscription,
  people: field(
    'A few of its members: the owner, then administrators, then others in the order of joining. Only administrators see others than the owner, the administrators and themselves.',
    z.array(person),
  ),
  is_hidden: field('Whether the caller has hidden it. Only a canceled one can be.', flag),
  is_shut: field(
    'Missing unless the session has to pass a second step first. Of what others see, the row then has only the name and the plan; of people, only the id of the owner and the caller.',
    z.optional(z.literal(true)),
  ),
}

export const subscriptionWithPeople = object('A project in a list.', withPeople)

export const openedSubscription = object('A project as its own screens see it.', {
  ...withPeople,
  settings_changed: field(
    'When the settings were last changed, or else when the project was created.',
    timestamp,
  ),
  settings_changed_by: field(
    'The name of who changed them, for administrators; null before the first change.',
    orNull(text),
  ),
  changing_to: field(
    'For administrators: what it is being changed to, while that is at work or waits for its payment; else null.',
    orNull(z.enum([...planIds, 'canceled'])),
  ),
})

export const invite = object('An invitation to a project.', {
  id: field('The id of the invitation.', text),
  email: field('The invited address, in lower case.', text),
  status: field(
    'Only a pending one can be accepted.',
    z.enum(['pending', 'accepted', 'rejected', 'revoked']),
  ),
  subscription_id: field('The id of the project.', text),
  subscription_name: field('The name of the project.', text),
  host_name: field('The name of who invites.', text),
  permissions: field('What its recipient will hold.', z.array(permissionKey)),
  created: field('When it was made.', epochSeconds),
  expires: field('Until when it can be accepted.', epochSeconds),
  second_factor_from: field(
    'As of the project, which asks its members for it.',
    orNull(epochSeconds),
  ),
})

export const subscriptionUser = object(
  'A row of the list of users: a member, or a pending invitation, which has an `invite_id`.',
  {
    id: field('The id of the user, or of a pending invitation.', text),
    display_name: field('The name, or what the inviter called the person.', text),
    email: field('The address of the account, or the invited one.', text),
    permissions: field('What the member holds.', z.array(permissionKey)),
    status: field('`pending` is an invitation.', z.enum(['active', 'pending'])),
    pending_permissions: field('What a pending invitation promises.', z.array(permissionKey)),
    invite_id: field('The id of a pending invitation; null for a member.', orNull(text)),
    is_owner: field('Whether the project is theirs.', flag),
    has_second_factor: field(
      'Whether a member has an app for one-time codes or a passkey; null for a pending invitation.',
      orNull(flag),
    ),
    is_expired: field(
      'An expired invitation holds no seat until an administrator sends it again.',
      flag,
    ),
    is_undeliverable: field(
      'Whether the mail server knows that nobody gets mail at the address of a pending invitation.',
      flag,
    ),
    created: field('When the member joined, or the invitation was made.', epochSeconds),
    expires: field('When a pending invitation expires; null for a member.', orNull(epochSeconds)),
    host_name: field('Who invited; null for a member.', orNull(text)),
    invites_sent: field('The open invitations to the project that a member sent.', count),
  },
)

export const joinLink = object('The link by which anybody who has it joins a project.', {
  code: field(
    'For `/join?code=`. Null if the server has not the secret key any more that sealed it.',
    orNull(text),
  ),
  permissions: field('What whoever joins by it will hold.', z.array(permissionKey)),
  uses_left: field('How many more people may join by it; null if any number.', orNull(count)),
  host_name: field('The name of who made it.', text),
  expires: field('When it ends.', epochSeconds),
})

export const joinRequest = object('What somebody asks who is not in a project: to join it.', {
  id: field('The id of the request.', text),
  name: field('The name of who asks.', text),
  email: field('The address of who asks, in lower case.', text),
  created: field('When they asked.', epochSeconds),
})

export const ownershipOffer = object('What an owner offers: the project, with its bills.', {
  to: field('Who may accept.', someone),
  keeps_card: field('Whether the card that pays stays until another is the default.', z.boolean()),
  expires: field('When it ends.', epochSeconds),
})

export const seats = object('The seats of the plan.', {
  total: field('As many as the plan has.', count),
  members: field('Those that members take.', count),
  pending: field('Those that open invitations take.', count),
})

export const invoice = object('An invoice of the provider.', {
  id: field('The id of the invoice at the provider.', text),
  number: field('Null until the provider assigns one.', orNull(text)),
  created: field('When it was made.', epochSeconds),
  total: field('In minor units of `currency`.', amount),
  currency: field('ISO 4217, lower case.', text),
  status: field(
    'As the provider says it.',
    z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  ),
  amount_paid: field(
    'The part of `total` that was charged; the rest was credit or below the minimum charge.',
    amount,
  ),
  amount_refunded: field('The part of it that was paid back.', amount),
  dispute: field(
    '`open`: the payer’s bank disputes the payment. `won`, `lost`: how that ended for us. Else null.',
    orNull(z.enum(['open', 'won', 'lost'])),
  ),
  hosted_invoice_url: field(
    'The page of the invoice on our server, which does not expire; null if there is none.',
    orNull(text),
  ),
  invoice_pdf: field('The same as PDF; null if there is none.', orNull(text)),
  next_payment_attempt: field(
    'When the provider next tries to collect an open invoice; null if it will not try again.',
    orNull(epochSeconds),
  ),
})

const ofCard = {
  id: field('The id of the card at the provider.', text),
  isDefault: field('Whether the provider charges this card for the plan.', flag),
  card: object('What is known of the card.', {
    brand: field('Lower case: `visa`.', text),
    last4: field('The last four digits.', text),
    exp_month: field('1 to 12.', z.int()),
    exp_year: field('Four digits.', z.int()),
  }),
}

export const paymentMethod = object('A card of a project.', {
  ...ofCard,
  added_by: field('Who added it; null if that is not known.', orNull(someone)),
})

export const ownPaymentMethod = object('A card that the caller added, in any project.', {
  ...ofCard,
  subscription_id: field('The id of the project.', text),
  subscription_name: field('The name of the project.', text),
  standing: field(
    'What the caller is in the project today; null if they are not in it.',
    orNull(z.enum(['owner', 'member'])),
  ),
  pays_plan: field('Whether a plan is paid with this card now.', flag),
})

export const projectBilling = {
  name: field('The name of the payer.', text),
  phone: field('The telephone number of the payer.', text),
  address: object('The address of the payer. What was never filled in is empty.', {
    line1: field('The street and number.', text),
    line2: field('Further lines.', z.optional(text)),
    city: field('The city or town.', text),
    state: field('The state or province.', text),
    postal_code: field('The postal code.', text),
    country: field('ISO 3166-1: two capital letters.', text),
  }),
  billing_email: field(
    'The address that gets receipts; the owner gets them if this is null.',
    orNull(text),
  ),
  billing_email_refused: field(
    'A mail server has refused the address that gets receipts, or that of the owner. Else missing.',
    z.optional(z.literal(true)),
  ),
  tax_id: field(
    'The tax id of the payer; null if none is known.',
    orNull(
      z.strictObject({
        type: field('The kind, such as `eu_vat`.', taxId.def.shape.type),
        value: field('The number.', text),
      }),
    ),
  ),
  purchase_order: field(
    'The number of the order, which stands on later invoices; else null.',
    orNull(text),
  ),
  invoice_footer: field('A text that stands on later invoices; else null.', orNull(text)),
  receipts: field('Whether the server mails a receipt after every payment.', flag),
  credit: field(
    'Credit that pays for the next periods, in minor units of the currency of the project.',
    amount,
  ),
  next: field(
    'What is charged next, with tax and after credit. Missing if nothing is.',
    z.optional(
      z.strictObject({
        due: field('The amount to be charged, in minor units.', amount),
        credit_used: field('The credit that pays a part.', amount),
      }),
    ),
  ),
}

export const previewLine = object('A line of what something costs.', {
  kind: field(
    '`unused`: credit for the rest of the period on the present plan. `remaining`: the price of that time on the new plan. `week`: the price of a whole week; `period`: that of a whole period of another interval. `discount`: what is taken off the lines before. `tax`: the tax on all of these.',
    z.enum(['unused', 'remaining', 'week', 'period', 'discount', 'tax', 'other']),
  ),
  plan_id: field('The plan that it is about; null if none.', orNull(planId)),
  amount: field('In minor units; negative if credited.', amount),
})

export const planChangePreview = object(
  'The cost of a purchase or a plan change, in minor units of `currency`.',
  {
    currency: field('ISO 4217, lower case.', text),
    lines: field('What the sum is made of.', z.array(previewLine)),
    starts: field(
      'When the change takes effect. If that is later, `lines` and `credit_used` are what is charged then, and nothing is due today.',
      z.union([z.literal('now'), epochSeconds]),
    ),
    credit_used: field('Earlier credit that pays a part of the charge.', amount),
    due: field('The amount that the provider charges today.', amount),
    credited: field('The amount that the provider keeps as credit for later charges.', amount),
    credit_left: field(
      'The credit that then pays for later charges first: what was left before, and `credited`.',
      amount,
    ),
    recurring: field(
      'What the provider charges for each period after today; null for a free plan.',
      orNull(price),
    ),
    weekly: field(
      'The amount of a weekly `recurring`; null for another interval, 0 for a free plan.',
      orNull(amount),
    ),
    next_charge: field(
      'When `recurring` is first charged after today; null for a free plan.',
      orNull(epochSeconds),
    ),
    discount: field(
      'What is taken off `recurring` from `next_charge` on; null if nothing.',
      orNull(discount),
    ),
    trial_ends: field(
      'When the trial ends; null without one. Until then nothing is charged: `lines` and `credit_used` are what is charged then.',
      orNull(epochSeconds),
    ),
  },
)

export const purchaseFound = object('A purchase with what became of it.', {
  subscriptionId: field('The id of the project.', text),
  state: field(
    '`working`: another request is still at work. `processing`: so is the bank. `waiting`: the bank has asked its buyer to confirm; nothing is charged until then. `undone`: nothing was charged.',
    z.enum(['paid', 'working', 'processing', 'waiting', 'undone']),
  ),
})

export const owed = object('The sum of all overdue invoices, less credit.', {
  due: field('In minor units of `currency`.', amount),
  currency: field('ISO 4217, lower case.', text),
  declined: field(
    'The card that the bank has just declined, which may be removed by now. Null if none was.',
    orNull(z.strictObject({ id: ofCard.id, card: ofCard.card })),
  ),
})

export type AuthUser = z.output<typeof authUser>
export type VerifiedAccount = z.output<typeof verifiedAccount>
export type UserRecord = z.output<typeof userRecord>
export type Session = z.output<typeof session>
export type AccessToken = z.output<typeof accessToken>
export type FactorType = z.output<typeof factorType>
export type Factor = z.output<typeof factor>
export type Price = z.output<typeof price>
export type Discount = z.output<typeof discount>
export type LookOnly = z.output<typeof lookOnly>
export type Subscription = z.output<z.ZodMiniObject<typeof ofSubscription>>
export type SubscriptionStatus = Subscription['status']
export type PaymentState = Subscription['payment']
export type Person = z.output<typeof person>
export type SubscriptionWithPeople = z.output<typeof subscriptionWithPeople>
export type OpenedSubscription = z.output<typeof openedSubscription>
export type Invite = z.output<typeof invite>
export type JoinLink = z.output<typeof joinLink>
export type OwnershipOffer = z.output<typeof ownershipOffer>
export type JoinRequest = z.output<typeof joinRequest>
export type InviteStatus = Invite['status']
export type SubscriptionUser = z.output<typeof subscriptionUser>
export type Seats = z.output<typeof seats>
export type Invoice = z.output<typeof invoice>
export type InvoiceStatus = Invoice['status']
export type DisputeState = NonNullable<Invoice['dispute']>
export type PaymentMethod = z.output<typeof paymentMethod>
export type OwnPaymentMethod = z.output<typeof ownPaymentMethod>
export type Address = z.output<typeof address>
/** The part of a payer's address that the tax depends on, as far as it is known. */
export type PayerPlace = z.output<typeof payerPlaceInput>
export type BillingInfo = z.output<typeof billingInfo>
export type BillingDetails = BillingInfo['billingDetails']
export type TaxId = z.output<typeof taxId>
export type ProjectBilling = z.output<z.ZodMiniObject<typeof projectBilling>>
export type PreviewLine = z.output<typeof previewLine>
export type PlanChangePreview = z.output<typeof planChangePreview>
export type PurchaseFound = z.output<typeof purchaseFound>
export type Owed = z.output<typeof owed>

/** What a mailed link does. */
export type ActionCodeMode = keyof typeof limits.actionCodes

/** Why a user is sent to a sign-in provider. */
export type ProviderIntent = 'signIn' | 'link' | 'reauthenticate'
