import { Refusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import type { BillingRow } from '../store/billing.ts'

/** The project's customer at the provider, made when the project first needs one. */
export async function customerOf(row: BillingRow, services: Services) {
  if (row.customerId) return row.customerId
  const { payments, store } = services
  const customerId = await payments.addCustomer(row.id)
  await payments.setCustomer(customerId, { email: await contactOf(row, services) })
  await store.billing.set(row.id, { customerId })
  return customerId
}

/** Where receipts go, and what the provider knows the customer by. */
export async function contactOf(
  { billingEmail, ownerId }: Pick<BillingRow, 'billingEmail' | 'ownerId'>,
  { store }: Pick<Services, 'store'>,
) {
  return billingEmail ?? (await store.users.find(ownerId!))!.email
}

/** The customer of a project that has cards, and the plan that they pay for. */
export function ownCustomer({ customerId, planAtProviderId }: BillingRow) {
  if (!customerId) throw new Refusal('paymentMethodNotFound')
  return { customerId, planId: planAtProviderId ?? undefined }
}
