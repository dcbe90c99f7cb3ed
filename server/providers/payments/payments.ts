import type { LanguageCode } from '#config/languages.ts'
import type { PlanId } from '#config/plans.ts'
import type {
  BillingDetails,
  DisputeState,
  EpochSeconds,
  PayerPlace,
  PaymentMethod,
  PaymentState,
  TaxId,
} from '#contract/entities.ts'
import type { CustomerId, ProviderSubscriptionId, SubscriptionId } from '../../platform/ids.ts'
import type { ProviderInvoice } from '../../store/invoices.ts'

/** What the provider charges every week for one of our subscriptions, as it stands there now. */
export type ProviderSubscription = {
  id: ProviderSubscriptionId
  /** Ours, which it was bought for. */
  subscriptionId: SubscriptionId
  customerId: CustomerId
  /** What is charged, as the configuration spells it where it knows it. */
  priceId: string
  /**
   * `unpaid`: the first payment has not come yet; `ended`: canceled, or the first payment never
   * came.
   */
  state: 'active' | 'unpaid' | 'ended'
  payment: PaymentState
  /** When the current week ends. */
  renews: EpochSeconds
  /** What a week costs, in minor units of `currency`. */
  weekly: number
  /** ISO 4217, lower case. */
  currency: string
  /** When it ends by itself, because the operator scheduled that at the provider. */
  ends: EpochSeconds | undefined
  /** The operator has paused collection at the provider. */
  isPaused: boolean
  /** Whether there is a card to charge. */
  hasCard: boolean
  /** The card it is charged to, where that is not the customer's default yet. */
  newCard: string | undefined
  /** The newest one. */
  invoice: ProviderInvoice | undefined
  /** A change of price takes effect when it is paid. */
  isChanging: boolean
  /** A payment is under way at the bank: neither the buyer nor another card is needed. */
  isProcessing: boolean
  /** The provider's code for a declined payment, which needs another card. */
  declineCode: string | undefined
  /** What the browser needs to finish a payment that waits for the buyer. */
  clientSecret: string | undefined
  ended: Ended | undefined
}

/** `changedTo`: the free plan that the subscription changed to. */
export type Ended = { because: 'asked' | 'unpaid' } | { because: 'changed'; changedTo: string }

/** An invoice, and what became of the money that paid it. */
export type Refunds = {
  invoice: ProviderInvoice
  /** Missing if the invoice is for none of our subscriptions. */
  subscriptionId: SubscriptionId | undefined
  /** Minor units. */
  refunded: number
  dispute: DisputeState | null
}

export type ProviderCard = Omit<PaymentMethod, 'added_by'> & {
  /** The same for the same card number, however often it was added. */
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
  paymentMethodId: string
  /** Repeating an attempt does nothing twice. */
  attempt: string
}

/** Amounts in minor units. */
export type Preview = {
  currency: string
  lines: {
    kind: 'unused' | 'remaining' | 'week' | 'tax' | 'other'
    priceId: string | undefined
    amount: number
  }[]
  total: number
  /** The part of the customer's credit that would be used. */
  creditUsed: number
  /**
   * What would be charged at once. If it is less than the total by more than the credit, it is too
   * little to be charged now and is owed later.
   */
  due: number
  /** What a week costs from then on. */
  weekly: number
  /** When the last of the lines ends. */
  until: EpochSeconds
  /** The moment the amounts hold for: a change made with it costs the same. */
  at: EpochSeconds | undefined
}

/** What becomes of an invoice that is still owed when its provider subscription ends. */
export type Unpaid = 'void' | 'uncollectible'

/** `id` is missing where the keys may not read it. */
export type Account = { id?: string | undefined; mode: 'live' | 'test' }

/** The object that an event is about. */
export type EventObject = { objectType: string; objectId: string }

export type ProviderEvent = Omit<EventObject, 'objectId'> & {
  id: string
  type: string
  objectId: string | undefined
}

/** A part of a list, newest first. */
export type Page = {
  /** Begins behind the item with this id. */
  after?: string | undefined
  /** Created then or later. */
  since?: EpochSeconds
  /** Items per request. */
  pageSize?: number
}

/**
 * Takes money. Refuses with `cardDeclined` (`declineCode`), `paymentMethodNotFound`,
 * `taxIdInvalid`, `taxLocationInvalid`, `emailRefused`, `phoneRefused`, `addressRefused`,
 * `planNotForSale`, `previewOutdated`, `customerNotFound` (it was deleted there), `notOverdue`,
 * `billingBusy`, `paymentsUnavailable`, and `paymentRejected` where the provider gives another
 * reason. The payment method of another customer is `paymentMethodNotFound`.
 */
export type Payments = {
  /** The account at the provider that the keys belong to. */
  findAccount(): Promise<Account>
  /** Whether the account has, or had, this customer. */
  knowsCustomer(id: CustomerId): Promise<boolean>

  /** Repeating an attempt gives the same customer. */
  createCustomer(customer: { subscriptionId: SubscriptionId; attempt: string }): Promise<CustomerId>
  /** `language`: of invoices and of the bank's questions. */
  updateCustomer(
    id: CustomerId,
    changes: Partial<BillingDetails> & { email?: string; language?: LanguageCode },
  ): Promise<void>
  /** Missing if the customer is. */
  findBillingDetails(
    id: CustomerId,
  ): Promise<(BillingDetails & { tax_id: TaxId | null; credit: number }) | undefined>
  setTaxId(id: CustomerId, taxId: TaxId | null): Promise<void>
  /** Empties name, phone, address and tax id. */
  clearBillingDetails(id: CustomerId): Promise<void>
  /** Ends the customer's provider subscriptions, too. */
  removeCustomer(id: CustomerId): Promise<void>

  /**
   * The card belongs to the provider subscription alone: a declined card never becomes the default.
   */
  startProviderSubscription(start: NewProviderSubscription): Promise<ProviderSubscription>
  /**
   * First charges a week that has begun and was not charged for yet; if that fails, nothing
   * changes. With the moment of a preview it costs what the preview said.
   */
  changeProviderSubscription(change: {
    providerSubscriptionId: ProviderSubscriptionId
    priceId: string
    attempt: string
    at?: EpochSeconds | undefined
  }): Promise<ProviderSubscription>
  /** Gives up a change that waits for its payment. */
  dropPendingChange(id: ProviderSubscriptionId): Promise<void>
  /**
   * Ends it at once, and collects nothing of it any more. With `changedTo` the rest of the week
   * becomes credit, if it was charged for.
   */
  endProviderSubscription(
    id: ProviderSubscriptionId,
    changedTo?: PlanId,
  ): Promise<ProviderSubscription | undefined>
  /** Tries to collect open invoices, the oldest first, with this card or the one in use. */
  payInvoice(id: ProviderSubscriptionId, cardId?: string): Promise<void>
  /** `mayOweMore`: also looks for older invoices that are open. */
  findProviderSubscription(
    id: ProviderSubscriptionId,
    options?: { mayOweMore?: boolean },
  ): Promise<ProviderSubscription | undefined>
  /** Even one that has ended. */
  findNewestProviderSubscription(customerId: CustomerId): Promise<ProviderSubscription | undefined>
  /** Those of other products in the same account are among them. */
  listLiveProviderSubscriptions(page?: Omit<Page, 'since'>): AsyncIterable<ProviderSubscription>
  /** Without a known customer it is what anybody pays; the address says where. */
  previewStart(start: {
    customerId?: CustomerId | undefined
    priceId: string
    address?: PayerPlace | undefined
  }): Promise<Preview>
  previewChange(change: {
    providerSubscriptionId: ProviderSubscriptionId
    priceId: string
  }): Promise<Preview>
  previewEnd(id: ProviderSubscriptionId): Promise<Preview>
  /** What is left to pay of all open invoices together; missing if none is open. */
  previewPayment(id: ProviderSubscriptionId): Promise<Pick<Preview, 'currency' | 'due'> | undefined>

  /** The default first, then the newest first. */
  listCards(customerId: CustomerId): Promise<ProviderCard[]>
  /** Missing if no customer has it. `addedBy`: the user for whom its setup was created. */
  findCard(
    id: string,
  ): Promise<
    { customerId: CustomerId; card: ProviderCard; addedBy: string | undefined } | undefined
  >
  /** Gives what the browser needs to add a card. */
  createCardSetup(setup: { customerId: CustomerId; addedBy: string }): Promise<string>
  /**
   * Of the same card twice the older one is kept, as the default if the newer one was. Gives the id
   * of the kept card, which the newer id then stands for, too.
   */
  mergeCard(card: CardOfCustomer): Promise<string>
  setDefaultCard(card: CardOfCustomer): Promise<void>
  /** A provider subscription that was charged to it has no card then. */
  removeCard(card: CardOfCustomer): Promise<void>
  /** Browsers that are still adding a card fail. */
  cancelCardSetups(customerId: CustomerId): Promise<void>

  findInvoice(id: string): Promise<
    | {
        invoice: ProviderInvoice
        subscriptionId: SubscriptionId | undefined
        providerSubscriptionId: ProviderSubscriptionId | undefined
      }
    | undefined
  >
  /** Collects nothing more of an invoice whose provider subscription has ended. */
  closeInvoice(id: string): Promise<void>
  /** Where the provider shows an invoice, and its PDF. The addresses expire; a draft has none. */
  findInvoiceLinks(id: string): Promise<{ page: string; pdf: string } | undefined>
  /** For the invoice that a charge, a refund or a dispute is about. Missing if it is about none. */
  findRefunds(about: EventObject): Promise<Refunds | undefined>
  /** Those of other products in the same account are among them. */
  listInvoices(
    page?: Page,
  ): AsyncIterable<ProviderInvoice & { subscriptionId: SubscriptionId | undefined }>
  /** Events that did not reach all their endpoints. The provider keeps them for 30 days. */
  listUndeliveredEvents(page?: Page): AsyncIterable<ProviderEvent>
  /** The event of a webhook, or nothing if its signature is wrong or too old. */
  readEvent(body: string, signature: string): ProviderEvent | undefined
}
