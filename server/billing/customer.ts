import { fallbackLanguage } from '#config/languages.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'

/**
 * Does something with the project's customer at the provider, made when the project first needs one, and anew where it was deleted there.
 * The caller has the turn.
 */
export async function withCustomer<Answer>(
  row: BillingRow,
  services: Services,
  act: (customerId: string) => Promise<Answer>,
) {
  if (!row.customerId) return act(await addCustomer(row, attemptOf(row), services))
  try {
    return await act(row.customerId)
  } catch (error) {
    if (!isRefusal(error, 'customerNotFound')) throw error
    return act(await addCustomer(row, `${attemptOf(row)}:${row.customerId}`, services))
  }
}

async function addCustomer({ id }: BillingRow, attempt: string, services: Services) {
  const customerId = await services.payments.addCustomer({ subscriptionId: id, attempt })
  await services.transaction(async ({ store, jobs }) => {
    await store.billing.set(id, { customerId })
    // The cards of a former one are gone with it.
    await store.cards.removeAllBut(id, undefined)
    await jobs.add('followOwner', { subscriptionId: id })
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

/** The customer of a project that has cards, and the plan that they pay for. */
export function ownCustomer({ customerId, providerSubscriptionId }: BillingRow) {
  if (!customerId) throw new Refusal('paymentMethodNotFound')
  return { customerId, planId: providerSubscriptionId ?? undefined }
}
