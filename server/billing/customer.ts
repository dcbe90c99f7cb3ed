import { Refusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import type { BillingRow } from '../store/billing.ts'

/** The project's customer at the provider, made when the project first needs one. */
export async function customerOf(row: BillingRow, services: Services) {
  if (row.customerId) return row.customerId
  const customerId = await services.payments.addCustomer({ subscriptionId: row.id, attempt: attemptOf(row) })
  await services.transaction(async ({ store, jobs }) => {
    await store.billing.set(row.id, { customerId })
    await jobs.add('followOwner', { subscriptionId: row.id })
  })
  return customerId
}

/** Names what is begun for this row at the provider: once it was undone, and the row removed, another one with its id begins anew. */
export function attemptOf({ id, createdAt }: Pick<BillingRow, 'id' | 'createdAt'>) {
  return `${id}:${createdAt.getTime()}`
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
