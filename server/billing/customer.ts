import { fallbackLanguage } from '#config/languages.ts'
import { projectName } from '#contract/project-name.ts'
import { loadTranslator } from '#locales/load-translator.ts'
import type { Services } from '../core/services.ts'
import type { CustomerId } from '../platform/ids.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { BillingRow, Lease } from '../store/billing.ts'

/** Runs `act` with the subscription's customer, and creates one if the provider has none. */
export async function withCustomer<Answer>(
  { subscriptionId }: Lease,
  services: Services,
  act: (customerId: CustomerId) => Promise<Answer>,
) {
  const row = (await services.store.billing.find(subscriptionId))!
  if (!row.customerId) return act(await createCustomer(row, attemptOf(row), services))
  try {
    return await act(row.customerId)
  } catch (error) {
    if (!isRefusal(error, 'customerNotFound')) throw error
    return act(await createCustomer(row, `${attemptOf(row)}:${row.customerId}`, services))
  }
}

async function createCustomer({ id }: BillingRow, attempt: string, services: Services) {
  const customerId = await services.payments.createCustomer({ subscriptionId: id, attempt })
  await services.transaction(async ({ store, jobs }) => {
    await Promise.all([
      store.billing.update(id, { customerId }),
      // The provider has deleted the cards of the former customer.
      store.cards.removeAllBut(id, undefined),
      jobs.add('updateContact', { subscriptionId: id }),
    ])
  })
  return customerId
}

/** The provider carries out an attempt once. After an undone one, only the time differs. */
export function attemptOf({ id, createdAt }: Pick<BillingRow, 'id' | 'createdAt'>) {
  return `${id}:${createdAt.getTime()}`
}

/** The address for receipts, the owner's language, and what stands on later invoices. */
export async function contactOf(
  { id, billingEmail, ownerId, settings, purchaseOrder, invoiceFooter }: BillingRow,
  { store }: Pick<Services, 'store'>,
) {
  const owner = ownerId === null ? undefined : await store.users.find(ownerId)
  // The owner deleted their account after the row was read.
  if (!owner) throw new Refusal('sessionEnded')
  const language = owner.language ?? fallbackLanguage
  const t = await loadTranslator(language)
  const project = { label: t('activity.areas.project'), value: projectName(settings) || id }
  const order = { label: t('billing.details.purchaseOrder'), value: purchaseOrder ?? '' }
  const onInvoices = {
    fields: [project, order].filter(({ value }) => value !== ''),
    footer: invoiceFooter ?? '',
  }
  return { email: billingEmail ?? owner.email, language, onInvoices }
}
