import { projectName } from '#contract/project-name.ts'
import { job, type Services } from '../core/services.ts'
import type { ProviderSubscriptionId } from '../platform/ids.ts'
import { isRefusal } from '../platform/refusal.ts'
import { after, seconds } from '../platform/time.ts'
import { keepAddedCard, removeCardById } from './cards.ts'
import { contactOf } from './customer.ts'
import { withBillingLease } from './lease.ts'
import { recover } from './purchase.ts'
import * as reconciliation from './reconcile.ts'
import { syncInvoice, syncProviderSubscription, syncRefunds } from './sync.ts'

/** In milliseconds. A purchase that began longer ago counts as interrupted. */
const stopped = 2 * 60_000

/** Reads the event's object again, so that repeated, late and reordered events change nothing. */
export const processEvent = job('processEvent', async ({ eventId }, services) => {
  const { store, now } = services
  const event = await store.providerEvents.find(eventId)
  if (!event || event.processedAt) return
  const { objectType, objectId, type } = event
  try {
    if (objectType === 'subscription')
      await syncProviderSubscription(objectId as ProviderSubscriptionId, services)
    else if (objectType === 'invoice') await syncInvoice(objectId, services)
    else if (['charge', 'refund', 'dispute'].includes(objectType))
      await syncRefunds(event, services)
    else if (type === 'payment_method.attached') await keepCard(objectId, services)
    await store.providerEvents.markProcessed(eventId, now())
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    await store.providerEvents.markFailed(eventId, text)
    throw error
  }
})

async function keepCard(cardId: string, services: Services) {
  const found = await services.payments.findCard(cardId)
  const row = found?.addedBy && (await services.store.billing.findByCustomer(found.customerId))
  if (row)
    await withBillingLease(row.id, services, (lease) => keepAddedCard(lease, cardId, services))
}

/** Sends the owner's address and language to the provider. */
export const updateContact = job('updateContact', async ({ subscriptionId }, services) => {
  const row = await services.store.billing.find(subscriptionId)
  if (!row?.customerId || row.ownerId === null) return
  await services.payments
    .updateCustomer(row.customerId, await contactOf(row, services))
    .catch((error: unknown) => {
      // When a new customer replaces one that the provider deleted, this job is added again.
      if (!isRefusal(error, 'customerNotFound')) throw error
    })
})

export const updateContacts = job('updateContacts', async ({ ownerId }, { store, jobs }) => {
  for (const { id } of await store.billing.listWithCustomer(ownerId))
    await jobs.add('updateContact', { subscriptionId: id })
})

/** Releases the jobs of servers that died, and recovers what was interrupted. */
export const recoverPurchases = job('recoverPurchases', async ({ begunBefore }, services) => {
  const { jobs, store, now, log, serverId } = services
  await jobs.releaseAbandoned({ asker: serverId })
  const createdBefore = begunBefore ? new Date(begunBefore) : after(now(), -stopped)
  for (const { id } of await store.billing.listUnfinished({ createdBefore, now: now() }))
    await withBillingLease(id, services, (lease) => recover(lease, services), { wait: 0 }).catch(
      (error: unknown) => {
        if (!isRefusal(error, 'billingBusy'))
          log.error({ err: error, subscription: id }, 'could not recover a purchase')
      },
    )
})

export const recoverPurchase = job('recoverPurchase', async ({ subscriptionId }, services) => {
  await withBillingLease(subscriptionId, services, (lease) => recover(lease, services))
})

export const removeCustomer = job('removeCustomer', ({ customerId }, { payments }) =>
  payments.removeCustomer(customerId),
)

export const reconcile = job('reconcile', (_payload, services) =>
  reconciliation.reconcile(services),
)

export const reconcilePage = job('reconcilePage', reconciliation.reconcilePage)

/** The work is empty, because `withBillingLease` finishes the transfer before it. */
export const finishTransfer = job('finishTransfer', ({ subscriptionId }, services) =>
  withBillingLease(subscriptionId, services, async () => {}),
)

export const removeCard = job('removeCard', ({ subscriptionId, cardId }, services) =>
  withBillingLease(subscriptionId, services, async (lease) => {
    await removeCardById(lease, cardId, undefined, services)
  }),
)

/** Mails both owners which card stays, and tells the new owner when the plan renews. */
export const mailTransfer = job('mailTransfer', async ({ subscriptionId, from, to }, services) => {
  const { store } = services
  const [row, former, owner] = await Promise.all([
    store.billing.find(subscriptionId),
    store.users.find(from),
    store.users.find(to),
  ])
  if (!row || !owner) return
  const others = await store.cards.listOfOthers(subscriptionId)
  const kept = others.find(({ addedBy }) => addedBy === from)
  const card = kept ? { brand: kept.brand, last4: kept.last4 } : null
  const renewsAt = row.providerSubscriptionId === null ? null : row.renewsAt
  const renews = renewsAt && seconds(renewsAt)
  const values = { project: projectName(row.settings), subscriptionId, card }
  const received = { name: owner.displayName, formerOwner: former?.displayName ?? '', renews }
  await services.transaction(async ({ jobs }) => {
    await jobs.add('sendMail', {
      mail: 'ownershipReceived',
      to: owner.email,
      language: owner.language,
      values: { ...values, ...received },
    })
    if (!former) return
    const given = { name: former.displayName, newOwner: owner.displayName, isPaid: renews !== null }
    await jobs.add('sendMail', {
      mail: 'ownershipGiven',
      to: former.email,
      language: former.language,
      values: { ...values, ...given },
    })
  })
})
