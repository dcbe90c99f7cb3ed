import { fallbackLanguage } from '#config/languages.ts'
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

/** What the provider knows the customer by: where receipts go, and the language that the owner reads. */
export async function contactOf(
  { billingEmail, ownerId }: Pick<BillingRow, 'billingEmail' | 'ownerId'>,
  { store }: Pick<Services, 'store'>,
) {
  const owner = ownerId === null ? undefined : await store.users.find(ownerId)
  // They have deleted their account meanwhile.
  if (!owner) throw new Refusal('sessionEnded')
  return { email: billingEmail ?? owner.email, language: owner.language ?? fallbackLanguage }
}

/** Of all projects of somebody whose address or language is another one now. */
export async function changeContacts(ownerId: string, { store, jobs }: Pick<Services, 'store' | 'jobs'>) {
  for (const { id } of await store.billing.listFollowing(ownerId)) await jobs.add('followOwner', { subscriptionId: id })
}

/** The customer of a project that has cards, and the plan that they pay for. */
export function ownCustomer({ customerId, planAtProviderId }: BillingRow) {
  if (!customerId) throw new Refusal('paymentMethodNotFound')
  return { customerId, planId: planAtProviderId ?? undefined }
}
