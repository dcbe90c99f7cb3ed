import type { BillingDetails, Invoice, PaymentState } from '#contract/entities.ts'

/** A plan being paid for, as the provider has it now. */
export type PlanAtProvider = {
  id: string
  /** The project that it was bought for. */
  subscriptionId: string
  customerId: string
  /** `unpaid`: the first payment has not come yet; `ended`: canceled, or the first payment never came. */
  state: 'active' | 'unpaid' | 'ended'
  payment: PaymentState
  invoice: Invoice | undefined
  /** While `unpaid`: the first payment was refused, with the provider's code, and needs another card. */
  declineCode: string | undefined
  /** While `unpaid`: what the browser needs to finish the payment. */
  clientSecret: string | undefined
}

export type NewPlan = {
  subscriptionId: string
  priceId: string
  paymentMethodId: string
  customerId: string
}

export type ProviderEvent = { id: string; type: string; objectType: string; objectId: string }

/**
 * Takes money. Refuses with `cardDeclined` (`declineCode`), `paymentMethodNotFound` and `paymentsUnavailable`. What is asked twice for
 * the same project is done once.
 */
export type Payments = {
  addCustomer(customer: { subscriptionId: string; email: string; billingDetails: BillingDetails }): Promise<string>
  startPlan(plan: NewPlan): Promise<PlanAtProvider>
  /** Missing if the provider has none of this id. */
  findPlan(id: string): Promise<PlanAtProvider | undefined>
  /** The plan of a customer, if one was bought. */
  findPlanOfCustomer(customerId: string): Promise<PlanAtProvider | undefined>
  /** Ends a plan that was never paid for, and forgets its customer. */
  abandon(bought: { customerId: string; planId?: string | undefined }): Promise<void>
  findInvoice(id: string): Promise<{ invoice: Invoice; planId: string | undefined } | undefined>
  /** The event of a webhook, or nothing if its signature is wrong or too old. */
  readEvent(body: string, signature: string): ProviderEvent | undefined
}
