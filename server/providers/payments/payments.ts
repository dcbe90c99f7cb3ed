import type { LanguageCode } from '#config/languages.ts'
import type { BillingDetails, EpochSeconds, Invoice, PayerPlace, PaymentMethod, PaymentState, TaxId } from '#contract/entities.ts'

/** A plan being paid for, as the provider has it now. */
export type PlanAtProvider = {
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
  /** The newest one. */
  invoice: ProviderInvoice | undefined
  /** A change of price was asked for and takes effect when it is paid. */
  isChanging: boolean
  /** A payment was refused, with the provider's code, and needs another card. */
  declineCode: string | undefined
  /** What the browser needs to finish a payment that waits for the buyer. */
  clientSecret: string | undefined
  ended: Ended | undefined
}

/** An invoice as the provider has it now. Amounts in minor units of `currency`. */
export type ProviderInvoice = Pick<
  Invoice,
  'id' | 'number' | 'created' | 'total' | 'currency' | 'status' | 'amount_paid' | 'next_payment_attempt'
> & {
  /** What it was made for: `subscription_create`, `subscription_update`, `subscription_cycle` or another of Stripe's `billing_reason`s. */
  reason: string | null
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
  lines: { kind: 'unused' | 'remaining' | 'week' | 'other'; priceId: string | undefined; amount: number }[]
  total: number
  /** What is left to pay when credit has been used. */
  due: number
  /** What a week costs from then on. */
  weekly: number
  /** When the last of the lines ends. */
  until: EpochSeconds
}

export type ProviderEvent = { id: string; type: string; objectType: string; objectId: string }

/**
 * Takes money. Refuses with `cardDeclined` (`declineCode`), `paymentMethodNotFound`, `taxIdInvalid` and `paymentsUnavailable`. A payment
 * method that isn't the customer's is not found.
 */
export type Payments = {
  /** The same attempt repeated gives the same customer. */
  addCustomer(customer: { subscriptionId: string; attempt: string }): Promise<string>
  /** `language`: that of invoices, and of what the bank asks. */
  setCustomer(customerId: string, about: Partial<BillingDetails> & { email?: string; language?: LanguageCode }): Promise<void>
  findBillingDetails(customerId: string): Promise<BillingDetails & { tax_id: TaxId | null; credit: number }>
  setTaxId(customerId: string, taxId: TaxId | null): Promise<void>
  /** Ends whatever the customer has, and forgets them. */
  removeCustomer(customerId: string): Promise<void>

  startPlan(plan: NewPlan): Promise<PlanAtProvider>
  /** A week that has begun and was not charged for yet is paid first; where it isn't, nothing is changed. */
  changePlan(change: { planId: string; priceId: string; attempt: string }): Promise<PlanAtProvider>
  /** Gives up a change that waits for its payment. */
  dropChange(planId: string): Promise<void>
  /** Ends it at once, and nothing of it is collected any more. With `changedTo` the rest of the week becomes credit, if it was charged for. */
  endPlan(planId: string, changedTo?: string): Promise<PlanAtProvider | undefined>
  /** Tries to collect the newest invoice with the default card. */
  payInvoice(planId: string): Promise<void>
  /** Missing if the provider has none of this id. */
  findPlan(id: string): Promise<PlanAtProvider | undefined>
  /** The newest plan of a customer, ended ones included. */
  findPlanOfCustomer(customerId: string): Promise<PlanAtProvider | undefined>
  /** Everything that is being paid for, of whatever project. */
  listLivePlans(): AsyncIterable<PlanAtProvider>
  /** Without a customer, what anybody pays; the address says where. */
  previewStart(plan: { customerId?: string | undefined; priceId: string; address?: PayerPlace | undefined }): Promise<Preview>
  previewChange(change: { planId: string; priceId: string }): Promise<Preview>
  previewEnd(planId: string): Promise<Preview>
  /** What is left to pay of all open invoices together; missing if none is open. */
  previewPayment(planId: string): Promise<Pick<Preview, 'currency' | 'due'> | undefined>

  /** The default first, then the newest first. */
  listCards(customerId: string): Promise<ProviderCard[]>
  /** Missing if there is none of this id, or if it is nobody's. */
  findCard(id: string): Promise<{ customerId: string; card: ProviderCard } | undefined>
  /** What the browser needs to add a card. */
  addCard(customerId: string): Promise<string>
  setDefaultCard(card: { customerId: string; planId: string | undefined; cardId: string }): Promise<void>
  removeCard(card: { customerId: string; cardId: string }): Promise<void>

  findInvoice(id: string): Promise<{ invoice: ProviderInvoice; subscriptionId: string | undefined } | undefined>
  /** Where the provider shows an invoice now, and its PDF. The addresses end after a while; a draft has none. */
  findInvoiceLinks(id: string): Promise<{ page: string; pdf: string } | undefined>
  /** Events of the last weeks that did not reach us. */
  listUndelivered(): AsyncIterable<ProviderEvent>
  /** The event of a webhook, or nothing if its signature is wrong or too old. */
  readEvent(body: string, signature: string): ProviderEvent | undefined
}
