import type { LanguageCode } from '#config/languages.ts'
import type { PlanId } from '#config/plans.ts'
import type {
  BillingDetails,
  Discount,
  DisputeState,
  EpochSeconds,
  Owed,
  PayerPlace,
  PaymentMethod,
  PaymentState,
  TaxId,
} from '#contract/entities.ts'
import type { Price } from '#contract/prices.ts'
import type { CustomerId, ProviderSubscriptionId, SubscriptionId } from '../../platform/ids.ts'
import type { ProviderInvoice } from '../../store/invoices.ts'

/** What the provider charges for one of our subscriptions, in its present state. */
export type ProviderSubscription = {
  id: ProviderSubscriptionId
  /** The id of our subscription that it pays for. Empty if another product created it. */
  subscriptionId: SubscriptionId
  customerId: CustomerId
  /** The price's name in the configuration, or its id at the provider if it has none there. */
  priceId: string
  /** `unpaid`: the first payment has not arrived yet. `ended`: canceled, or it never arrived. */
  state: 'active' | 'unpaid' | 'ended'
  payment: PaymentState
  /** When the current period ends. */
  renews: EpochSeconds
  /** What it charges for each period. */
  price: Price
  /** When it will end, if somebody has scheduled its end, and who has. */
  ends: EpochSeconds | undefined
  endsBy: 'owner' | 'operator' | undefined
  /** The change that takes effect when the present period ends. */
  next: NextChange | undefined
  /** When the trial ends, or has ended without a payment since. */
  trialEnds: EpochSeconds | undefined
  /** Whether it has ended without a card: the provider charges nothing until somebody pays. */
  isTrialOver: boolean
  discount: Discount | undefined
  /** When the oldest payment that is overdue was due. */
  overdueSince: EpochSeconds | undefined
  /** Whether the operator has paused collection at the provider. */
  isPaused: boolean
  hasCard: boolean
  /** The card that it is charged to, if that card is not the customer's default yet. */
  newCard: string | undefined
  /** The newest invoice. */
  invoice: ProviderInvoice | undefined
  /** Whether a change of price waits for its payment. The change takes effect once it is paid. */
  isChanging: boolean
  /** Whether the bank is processing a payment that needs neither the buyer nor another card. */
  isProcessing: boolean
  /** The provider's code for a declined payment. The payment needs another card. */
  declineCode: string | undefined
  /** The secret with which the browser finishes a payment that waits for the buyer. */
  clientSecret: string | undefined
  ended: Ended | undefined
  /** Whether its end has promised a refund. */
  isRefunded: boolean
  /** Whether it has ended and an invoice of it can still be charged. */
  isLeftOwing: boolean
}

/**
 * A change to another price, or to a free plan, which costs nothing: its `id` is the name of the
 * price or the plan. `isOwn`: `changeLater` or `endLater` made it.
 */
export type NextChange = { id: string; price: Price | null; at: EpochSeconds; isOwn: boolean }

/** `changedTo` is the free plan that our subscription changed to. */
export type Ended = { because: 'asked' | 'unpaid' } | { because: 'changed'; changedTo: string }

/** How a provider subscription ends. */
export type Ending = {
  /** A free plan: the rest of a charged period becomes credit. */
  changedTo?: PlanId
  /** What a preview showed of that credit. It is just that, or the end is refused. */
  shown?: Shown | undefined
  /** Promises to refund the rest of a charged period, which `refundUnused` then does. */
  isRefunded?: boolean
}

export type Refunds = {
  invoice: ProviderInvoice
  /** Undefined if the invoice is for none of our subscriptions. */
  subscriptionId: SubscriptionId | undefined
  /** In minor units of the invoice's currency, like the amounts of `made`. */
  refunded: number
  made: Refund[]
  dispute: DisputeState | null
}

/** A refund that the bank has not rejected. `by`: the operator of our command, if one made it. */
export type Refund = { id: string; amount: number; by?: string | undefined }

/** What stands on invoices that are made from now on: named fields, and a text below. */
export type OnInvoices = { fields: { label: string; value: string }[]; footer: string }

export type ProviderCard = Omit<PaymentMethod, 'added_by'> & {
  /** Equal for all cards with the same card number. */
  fingerprint: string | undefined
}

/** A card of a customer, with the provider subscription that may be charged to it. */
export type CardOfCustomer = {
  customerId: CustomerId
  providerSubscriptionId?: ProviderSubscriptionId | null | undefined
  cardId: string
}

export type NewProviderSubscription = {
  subscriptionId: SubscriptionId
  customerId: CustomerId
  priceId: string
  /** ISO 4217, lower case. */
  currency: string
  /** Missing if a trial begins without a card. */
  paymentMethodId: string | undefined
  /** The days of its trial. */
  trial?: number | undefined
  promotionId?: PromotionId | undefined
  /** Identifies the attempt. Repeating it with the same value starts nothing twice. */
  attempt: string
}

/** The provider's id of a promotion code. */
export type PromotionId = `promo_${string}`

/** `currencies`: those in which it takes an amount off; missing if it takes off a part. */
export type Promotion = { id: PromotionId; isActive: boolean; currencies?: string[] | undefined }

export type PriceChange = { providerSubscriptionId: ProviderSubscriptionId; priceId: string }

/** What a purchase, a change or an end would cost. Amounts are in minor units of `currency`. */
export type Preview = {
  currency: string
  lines: {
    kind: 'unused' | 'remaining' | 'period' | 'discount' | 'tax' | 'other'
    priceId: string | undefined
    amount: number
  }[]
  total: number
  creditUsed: number
  /** Credit that is left after it. */
  creditLeft: number
  /** Charged at once. If this plus the credit is less than the total, the rest is owed later. */
  due: number
  /** What it costs for each period afterwards; null if nothing. */
  recurring: Price | null
  /** The end of the period that has begun then: when `recurring` is charged next. */
  until: EpochSeconds
  /** What is taken off `recurring` from then on. */
  discount: Discount | undefined
  /** The moment that the amounts are for. A change with the same moment costs the same. */
  at: EpochSeconds | undefined
  /** The id of the newest invoice. Every change and every period brings a newer one. */
  newestInvoice: string | undefined
}

/** A preview of what costs nothing. */
export const noCost: Omit<Preview, 'currency'> = {
  lines: [],
  total: 0,
  creditUsed: 0,
  creditLeft: 0,
  due: 0,
  recurring: null,
  until: 0,
  discount: undefined,
  at: undefined,
  newestInvoice: undefined,
}

/** What a preview showed of a change, and the moment that it was for. */
export type Shown = { at: EpochSeconds; total: number; due: number }

/** What an unpaid invoice becomes when its provider subscription ends. */
export type Unpaid = 'void' | 'uncollectible'

/** The account at the provider. `id` is missing if the keys may not read it. */
export type Account = { id?: string | undefined; mode: 'live' | 'test' }

export type EventObject = { objectType: string; objectId: string }

export type ProviderEvent = Omit<EventObject, 'objectId'> & {
  id: string
  type: string
  objectId: string | undefined
}

/** Which part of a list to read. A list begins with its newest item. */
export type Page = {
  /** The part begins after the item with this id. */
  after?: string | undefined
  /** The part has only items that were created at this time or later. */
  since?: EpochSeconds
  pageSize?: number
}

type Found<Thing> = Promise<Thing | undefined>

/**
 * Refuses with `cardDeclined` (and `declineCode`), `paymentMethodNotFound` (also if it is another
 * customer's), `taxIdInvalid`, `taxLocationInvalid`, `emailRefused`, `phoneRefused`,
 * `addressRefused`, `planNotForSale`, `previewOutdated`, `customerNotFound` (deleted at the
 * provider), `promotionNotForThis`, `notOverdue`, `billingBusy`, `paymentsUnavailable`, and `paymentRejected` for any
 * other reason.
 */
export type Payments = {
  /** The provider's time, which is the present unless the provider is the sandbox. */
  now(): Promise<Date>
  findAccount(): Promise<Account>
  /** Whether the account has, or had, this customer. */
  knowsCustomer(id: CustomerId): Promise<boolean>

  /** Creates a customer. Repeating it with the same `attempt` returns the same customer. */
  createCustomer(customer: { subscriptionId: SubscriptionId; attempt: string }): Promise<CustomerId>
  /**
   * `language` is the language of invoices and of the bank's questions to the buyer.
   */
  updateCustomer(
    id: CustomerId,
    changes: Partial<BillingDetails> & {
      email?: string
      language?: LanguageCode
      onInvoices?: OnInvoices
    },
  ): Promise<void>
  /** Returns undefined if the customer does not exist. `credit` is in minor units. */
  findBillingDetails(
    id: CustomerId,
  ): Found<BillingDetails & { tax_id: TaxId | null; credit: number }>
  setTaxId(id: CustomerId, taxId: TaxId | null): Promise<void>
  /** Empties name, phone, address and tax id, except what tax needs of the address. */
  clearBillingDetails(id: CustomerId): Promise<void>
  /** Removes the customer and ends the customer's provider subscriptions. */
  removeCustomer(id: CustomerId): Promise<void>

  /** The card does not become the customer's default, so that a declined card never does. */
  startProviderSubscription(start: NewProviderSubscription): Promise<ProviderSubscription>
  /**
   * If the present period is not charged yet, charges it first. If that fails, the price stays the
   * same. With `shown`, the change costs just that, or is refused with `previewOutdated`.
   */
  changeProviderSubscription(
    change: PriceChange & { attempt: string; shown?: Shown | undefined },
  ): Promise<ProviderSubscription>
  /**
   * Changes the price when the present period ends. What the owner had scheduled before is taken
   * back. Repeating it is safe.
   */
  changeLater(change: PriceChange): Promise<void>
  /** Ends it with the present period, as a change to a free plan if `changedTo` is given. */
  endLater(id: ProviderSubscriptionId, changedTo?: PlanId): Promise<void>
  /** Takes back what `changeLater` and `endLater` have scheduled. */
  takeBack(id: ProviderSubscriptionId): Promise<void>
  /** Makes a provider subscription that another product began one of ours. */
  adoptProviderSubscription(adopted: {
    id: ProviderSubscriptionId
    subscriptionId: SubscriptionId
  }): Promise<void>
  /** Voids the payment that a purchase or a change waits for, unless it has just arrived. */
  dropPendingPayment(id: ProviderSubscriptionId): Promise<void>
  /** Collects nothing more. With `shown`, it may refuse with `previewOutdated`. */
  endProviderSubscription(id: ProviderSubscriptionId, ending?: Ending): Found<ProviderSubscription>
  /** What an end with `isRefunded` would refund today, in minor units of its currency. */
  previewRefund(id: ProviderSubscriptionId): Promise<number>
  /** Refunds what the end has promised and was not refunded yet. */
  refundUnused(id: ProviderSubscriptionId): Promise<void>
  /**
   * Tries to collect the open invoices, oldest first, from this card or the card in use. After a
   * trial that is over it begins a new period, once that is paid.
   */
  payInvoice(id: ProviderSubscriptionId, cardId?: string): Promise<void>
  /** With `mayOweMore` it looks for older open invoices even if the newest one is paid. */
  findProviderSubscription(
    id: ProviderSubscriptionId,
    options?: { mayOweMore?: boolean },
  ): Found<ProviderSubscription>
  /** Returns the customer's newest provider subscription, even if it has ended. */
  findNewestProviderSubscription(customerId: CustomerId): Found<ProviderSubscription>
  /** The promotion of a code that people type, in any case: the one that is active, if one is. */
  findPromotion(code: string): Found<Promotion>
  /**
   * Takes this off each period, for months or for good, in place of what was taken off before. What
   * waits for the end of the period stays.
   */
  setDiscount(change: {
    providerSubscriptionId: ProviderSubscriptionId
    off: { percent: number } | { amount: number } | null
    months?: number | undefined
    attempt: string
  }): Promise<void>
  /** Lists those that have not ended. Other products in the account may own some of them. */
  listLiveProviderSubscriptions(page?: Omit<Page, 'since'>): AsyncIterable<ProviderSubscription>
  /** Without a known customer it shows what a new one pays. `address` is the payer's, for tax. */
  previewStart(start: {
    customerId?: CustomerId | undefined
    priceId: string
    currency: string
    promotionId?: PromotionId | undefined
    /** When it is charged first, after a trial. Refuses a promotion that is over by then. */
    trialEnds?: EpochSeconds | null
    address?: PayerPlace | undefined
  }): Promise<Preview>
  previewChange(change: PriceChange): Promise<Preview>
  /** What is charged for another price at the end of the present period. */
  previewLater(change: PriceChange): Promise<Preview>
  previewEnd(id: ProviderSubscriptionId): Promise<Preview>
  /** What the next period will charge, with tax and after credit; undefined if there is none. */
  previewNext(id: ProviderSubscriptionId): Found<Pick<Preview, 'due' | 'creditUsed'>>
  /**
   * Returns what is left to pay of all open invoices together, or what starting again costs after a
   * trial that is over. Undefined if nothing is to be paid.
   */
  previewPayment(id: ProviderSubscriptionId): Found<Owed>

  /** Lists the default card first, then the others, newest first. */
  listCards(customerId: CustomerId): Promise<ProviderCard[]>
  /** Undefined if no customer has the card. `addedBy` is the user who began its setup. */
  findCard(
    id: string,
  ): Found<{ customerId: CustomerId; card: ProviderCard; addedBy: string | undefined }>
  /** The fingerprint of any card, also of one that no customer has yet. */
  findFingerprint(cardId: string): Found<string>
  /** Returns the secret with which the browser adds a card. */
  createCardSetup(setup: { customerId: CustomerId; addedBy: string }): Promise<string>
  /**
   * If the customer has an older card with the same number, keeps that one, as the default if the
   * newer one was. Returns the kept card's id, which later calls use for the newer one's.
   */
  mergeCard(card: CardOfCustomer): Promise<string>
  setDefaultCard(card: CardOfCustomer): Promise<void>
  /** Removes a card. A provider subscription that was charged to it then has no card of its own. */
  removeCard(card: CardOfCustomer): Promise<void>
  /** Cancels the customer's card setups. Browsers that are still adding a card then fail. */
  cancelCardSetups(customerId: CustomerId): Promise<void>

  findInvoice(id: string): Found<{
    invoice: ProviderInvoice
    subscriptionId: SubscriptionId | undefined
    providerSubscriptionId: ProviderSubscriptionId | undefined
  }>
  /**
   * Gives back an amount of a paid invoice, in minor units of its currency. Repeating it with the
   * same `attempt` and `by` gives nothing back twice.
   */
  refundInvoice(refund: {
    id: string
    amount: number
    attempt: string
    by?: string | undefined
  }): Promise<Refund>
  /** Stops collecting an invoice whose provider subscription has ended. */
  closeInvoice(id: string): Promise<void>
  /** Undefined for a draft. The addresses expire. */
  findInvoiceLinks(id: string): Found<{ page: string; pdf: string }>
  /** `about` is a charge, a refund or a dispute. Undefined if no invoice belongs to it. */
  findRefunds(about: EventObject): Found<Refunds>
  /** Lists invoices. Other products in the same account may own some of them, unless `of` is given. */
  listInvoices(
    page?: Page & { of?: ProviderSubscriptionId },
  ): AsyncIterable<ProviderInvoice & { subscriptionId: SubscriptionId | undefined }>
  /** Lists events that missed a webhook endpoint. The provider keeps events for 30 days. */
  listUndeliveredEvents(page?: Page): AsyncIterable<ProviderEvent>
  /** Returns the event of a webhook, or undefined if its signature is wrong or too old. */
  readEvent(body: string, signature: string): ProviderEvent | undefined
}
