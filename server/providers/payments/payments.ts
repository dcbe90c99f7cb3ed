import type { ProviderInvoice } from '../../store/invoices.ts'
import type { LanguageCode } from '#config/languages.ts'
import type {
  BillingDetails,
  DisputeState,
  EpochSeconds,
  PayerPlace,
  PaymentMethod,
  PaymentState,
  TaxId,
} from '#contract/entities.ts'

/** A plan being paid for, as the provider has it now. */
export type ProviderSubscription = {
  id: string
  /** The project that it was bought for. */
  subscriptionId: string
  customerId: string
  /** What is charged, as the configuration spells it where it knows it. */
  priceId: string
  /** `unpaid`: the first payment has not come yet; `ended`: canceled, or the first payment never came. */
  state: 'active' | 'unpaid' | 'ended'
  payment: PaymentState
  /** When the running week ends. */
  renews: EpochSeconds
  /** What a week costs, in minor units of `currency`. */
  weekly: number
  /** ISO 4217, lower case. */
  currency: string
  /** When the plan ends by itself, because somebody asked for that at the provider. */
  ends: EpochSeconds | undefined
  /** The provider was told to collect nothing for now. */
  isPaused: boolean
  /** Whether there is a card to charge. */
  hasCard: boolean
  /** The card that it is charged to, where that is not the customer's default yet. */
  newCard: string | undefined
  /** The newest one. */
  invoice: ProviderInvoice | undefined
  /** A change of price was asked for and takes effect when it is paid. */
  isChanging: boolean
  /** A payment is under way, and neither the buyer nor a card is asked for. */
  isProcessing: boolean
  /** A payment was refused, with the provider's code, and needs another card. */
  declineCode: string | undefined
  /** What the browser needs to finish a payment that waits for the buyer. */
  clientSecret: string | undefined
  ended: Ended | undefined
}

/** An invoice, and what became of the money that paid it. */
export type Returned = {
  invoice: ProviderInvoice
  /** The project's, if it is one of ours. */
  subscriptionId: string | undefined
  /** What went back to the payer, in minor units. */
  refunded: number
  dispute: DisputeState | null
}

export type ProviderCard = Omit<PaymentMethod, 'added_by'> & {
  /** The same for the same number, however often it was added. */
  fingerprint: string | undefined
}

/** `changedTo`: in favour of a plan that costs nothing. */
export type Ended = { because: 'asked' | 'unpaid' } | { because: 'changed'; changedTo: string }

export type NewPlan = {
  subscriptionId: string
  customerId: string
  priceId: string
  paymentMethodId: string
  /** The same attempt repeated does nothing twice. */
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
  /** Of the customer's credit, what would be used. */
  creditUsed: number
  /** What would be charged at once. Less than the total by more than the credit, where it is too little to be charged: then it is owed later. */
  due: number
  /** What a week costs from then on. */
  weekly: number
  /** When the last of the lines ends. */
  until: EpochSeconds
  /** The moment that it is reckoned for: a change asked for with it costs the same. */
  at: EpochSeconds | undefined
}

/** What becomes of an invoice that is still owed when its plan ends. */
export type Unpaid = 'void' | 'uncollectible'

/** `id` is missing where the keys may not ask for it. */
export type Account = { id?: string | undefined; mode: 'live' | 'test' }

export type ProviderEvent = {
  id: string
  type: string
  objectType: string
  objectId: string | undefined
}

/** What an event is about. */
export type About = { objectType: string; objectId: string }

/** Of a list, which is newest first. */
export type Part = {
  /** Begins behind the one of this id. */
  after?: string | undefined
  /** Made then or later. */
  since?: EpochSeconds
  /** How many one request asks for. */
  atOnce?: number
}

/**
 * Takes money. Refuses with `cardDeclined` (`declineCode`), `paymentMethodNotFound`, `taxIdInvalid`, `taxLocationInvalid`, `emailRefused`,
 * `phoneRefused`, `addressRefused`, `planNotForSale`, `previewOutdated`, `customerNotFound` (it was deleted there), `notOverdue`, `billingBusy`, `paymentsUnavailable`, and
 * with `paymentRejected` where the provider's reason is another one. A payment method that isn't the customer's is not found.
 */
export type Payments = {
  /** The account at the provider that the keys are of. */
  findAccount(): Promise<Account>
  /** Whether the account has, or had, this customer. */
  knowsCustomer(customerId: string): Promise<boolean>

  /** The same attempt repeated gives the same customer. */
  addCustomer(customer: { subscriptionId: string; attempt: string }): Promise<string>
  /** `language`: that of invoices, and of what the bank asks. */
  setCustomer(
    customerId: string,
    about: Partial<BillingDetails> & { email?: string; language?: LanguageCode },
  ): Promise<void>
  /** Missing if the customer is. */
  findBillingDetails(
    customerId: string,
  ): Promise<(BillingDetails & { tax_id: TaxId | null; credit: number }) | undefined>
  setTaxId(customerId: string, taxId: TaxId | null): Promise<void>
  /** Empties name, phone, address and tax id. */
  forgetPayer(customerId: string): Promise<void>
  /** Ends whatever the customer has, and forgets them. */
  removeCustomer(customerId: string): Promise<void>

  /** The card becomes the plan's alone: what the bank refuses is never the customer's default. */
  startPlan(plan: NewPlan): Promise<ProviderSubscription>
  /**
   * A week that has begun and was not charged for yet is paid first; where it isn't, nothing is changed. With the moment of a preview it costs
   * what that said.
   */
  changePlan(change: {
    planId: string
    priceId: string
    attempt: string
    at?: EpochSeconds | undefined
  }): Promise<ProviderSubscription>
  /** Gives up a change that waits for its payment. */
  dropChange(planId: string): Promise<void>
  /** Ends it at once, and nothing of it is collected any more. With `changedTo` the rest of the week becomes credit, if it was charged for. */
  endPlan(planId: string, changedTo?: string): Promise<ProviderSubscription | undefined>
  /** Tries to collect what is open, the oldest first, with this card or the one that the plan is charged to. */
  payInvoice(planId: string, cardId?: string): Promise<void>
  /** Nothing more is collected of an invoice of a plan that has ended. */
  closeInvoice(id: string): Promise<void>
  /** Missing if the provider has none of this id. `mayOweMore`: looks for older invoices that are open, too. */
  findPlan(
    id: string,
    options?: { mayOweMore?: boolean },
  ): Promise<ProviderSubscription | undefined>
  /** The newest plan of a customer, ended ones included. */
  findPlanOfCustomer(customerId: string): Promise<ProviderSubscription | undefined>
  /** Everything that is being paid for, of whatever project. */
  listLivePlans(part?: Pick<Part, 'after' | 'atOnce'>): AsyncIterable<ProviderSubscription>
  /** Without a customer, or where it is not known any more, what anybody pays; the address says where. */
  previewStart(plan: {
    customerId?: string | undefined
    priceId: string
    address?: PayerPlace | undefined
  }): Promise<Preview>
  previewChange(change: { planId: string; priceId: string }): Promise<Preview>
  previewEnd(planId: string): Promise<Preview>
  /** What is left to pay of all open invoices together; missing if none is open. */
  previewPayment(planId: string): Promise<Pick<Preview, 'currency' | 'due'> | undefined>

  /** The default first, then the newest first. */
  listCards(customerId: string): Promise<ProviderCard[]>
  /** Missing if there is none of this id, or if it is nobody's. `addedBy`: who was given what the browser needs to add it. */
  findCard(
    id: string,
  ): Promise<{ customerId: string; card: ProviderCard; addedBy: string | undefined } | undefined>
  /** What the browser needs to add a card for somebody. */
  addCard(card: { customerId: string; addedBy: string }): Promise<string>
  /**
   * Of the same card twice the older one is kept, as the default where the newer one was. Gives the id that the card is kept under, by which
   * the newer id goes on meaning it.
   */
  mergeCard(card: {
    customerId: string
    planId: string | undefined
    cardId: string
  }): Promise<string>
  setDefaultCard(card: {
    customerId: string
    planId: string | undefined
    cardId: string
  }): Promise<void>
  /** A plan that was charged to it has no card then. */
  removeCard(card: {
    customerId: string
    planId: string | undefined
    cardId: string
  }): Promise<void>
  /** What the browser was given to add a card adds none any more. */
  endCardSetups(customerId: string): Promise<void>

  /** With the project and the plan that it is for. */
  findInvoice(
    id: string,
  ): Promise<
    | { invoice: ProviderInvoice; subscriptionId: string | undefined; planId: string | undefined }
    | undefined
  >
  /** Where the provider shows an invoice now, and its PDF. The addresses end after a while; a draft has none. */
  findInvoiceLinks(id: string): Promise<{ page: string; pdf: string } | undefined>
  /** Of the invoice that a charge, a refund, a dispute or a credit note is about. Missing if it is about none. */
  findReturned(about: About): Promise<Returned | undefined>
  /** Of whatever project. */
  listInvoices(part?: Part): AsyncIterable<ProviderInvoice & { subscriptionId: string | undefined }>
  /** Events that concern us and did not reach everybody who was to hear of them; the provider keeps them for a month. */
  listUndelivered(part?: Part): AsyncIterable<ProviderEvent>
  /** The event of a webhook, or nothing if its signature is wrong or too old. */
  readEvent(body: string, signature: string): ProviderEvent | undefined
}
