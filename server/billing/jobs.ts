import { limits } from '#config/limits.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { tell } from '../core/notices.ts'
import type { Services, Tasks } from '../core/services.ts'
import type { ProviderSubscriptionId } from '../platform/ids.ts'
import { isRefusal } from '../platform/refusal.ts'
import { after, seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'
import { chargesOf } from '../store/charges.ts'
import { aheadJobs } from './ahead.ts'
import { keepAddedCard, removeCardById } from './cards.ts'
import { contactOf } from './customer.ts'
import { withBillingLease } from './lease.ts'
import { graceEnd } from './look-only.ts'
import { addUnpaid, ofProject, tellOfUnpaid } from './mails.ts'
import { recover } from './purchase.ts'
import { reconcile, reconcilePage } from './reconcile.ts'
import { syncRefunds } from './refunds.ts'
import { syncInvoice, syncProviderSubscription } from './sync.ts'

/** In milliseconds. A purchase that began longer ago counts as interrupted. */
const stopped = 2 * 60_000

export const billingJobs = {
  /** Reads the event's object again, so that repeated, late and reordered events change nothing. */
  async processEvent({ eventId }, services) {
    const event = await services.store.providerEvents.find(eventId)
    if (!event || event.processedAt) return
    const { objectType, objectId, type, ...begun } = event
    const markProcessed = ({ store, now }: Services) =>
      store.providerEvents.markProcessed({ id: eventId, now: now() })
    try {
      if (objectType === 'subscription') {
        const id = objectId as ProviderSubscriptionId
        if (await syncProviderSubscription(id, services, { begun, also: markProcessed })) return
      } else if (objectType === 'invoice') await syncInvoice(objectId, services)
      else if (['charge', 'refund', 'dispute'].includes(objectType))
        await syncRefunds(event, services)
      else if (type === 'payment_method.attached') await keepCard(objectId, services)
      await markProcessed(services)
    } catch (error) {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      await services.store.providerEvents.markFailed({ id: eventId, error: text })
      throw error
    }
  },

  /**
   * Takes over the provider subscription of a project that was moved here. Its invoices come first:
   * once the provider tells of them, each that we don't know yet gets a receipt.
   */
  async adoptProviderSubscription({ subscriptionId }, services) {
    const { payments, store, transaction } = services
    const id = (await store.billing.find(subscriptionId))?.providerSubscriptionId
    if (!id) return
    for await (const invoice of payments.listInvoices({ of: id }))
      await transaction(async ({ store }) => {
        const row = await store.subscriptions.lockRow(subscriptionId)
        const former = await store.invoices.find(invoice.id)
        if (row && !former) await store.invoices.put(row.id, invoice, former)
      })
    await payments.adoptProviderSubscription({ id, subscriptionId })
    await syncProviderSubscription(id, services)
  },

  /** Sends the owner's address and language to the provider. */
  async updateContact({ subscriptionId }, services) {
    const row = await services.store.billing.find(subscriptionId)
    if (!row?.customerId || row.ownerId === null) return
    await services.payments
      .updateCustomer(row.customerId, await contactOf(row, services))
      .catch((error: unknown) => {
        // When a new customer replaces one that the provider deleted, this job is added again.
        if (!isRefusal(error, 'customerNotFound')) throw error
      })
  },

  async updateContacts({ ownerId }, { store, jobs }) {
    for (const { id } of await store.billing.listWithCustomer(ownerId))
      await jobs.add('updateContact', { subscriptionId: id })
  },

  /** Recovers what was interrupted. */
  async recoverPurchases({ begunBefore }, services) {
    const { store, now, log } = services
    const createdBefore = begunBefore ? new Date(begunBefore) : after(now(), -stopped)
    for (const { id } of await store.billing.listUnfinished({ createdBefore, now: now() }))
      await withBillingLease(id, services, (lease) => recover(lease, services), { wait: 0 }).catch(
        (error: unknown) => {
          if (!isRefusal(error, 'billingBusy'))
            log.error({ err: error, subscription: id }, 'could not recover a purchase')
        },
      )
  },

  async recoverPurchase({ subscriptionId }, services) {
    await withBillingLease(subscriptionId, services, (lease) => recover(lease, services))
  },

  removeCustomer: ({ customerId }, { payments }) => payments.removeCustomer(customerId),

  reconcile: (_payload, services) => reconcile(services),

  reconcilePage,

  /** The work is empty, because `withBillingLease` finishes the transfer before it. */
  finishTransfer: ({ subscriptionId }, services) =>
    withBillingLease(subscriptionId, services, async () => {}),

  removeCard: ({ subscriptionId, cardId }, services) =>
    withBillingLease(subscriptionId, services, async (lease) => {
      await removeCardById(lease, cardId, undefined, services)
    }),

  /** Mails the owner and the administrators, at most once a day, what is owed and until when. */
  async tellUnpaid({ subscriptionId, tried }, services) {
    const { payments, store } = services
    const id = (await store.billing.find(subscriptionId))?.providerSubscriptionId
    const current = id && (await syncProviderSubscription(id, services))
    // It is paid or over by now, or the bank still works on it.
    if (!current || current.payment === 'ok' || current.isProcessing) return
    const owed = await payments.previewPayment(id)
    await services.transaction(async (services) => {
      const { store } = services
      const triedAt = new Date(tried * 1000)
      const row = await store.subscriptions.lockRow(subscriptionId)
      if (row?.status !== 'active' || row.payment === 'ok' || isTold(row, triedAt)) return
      await store.billing.update(row.id, { dunnedAt: triedAt })
      const invoice = await store.invoices.findOldestOpen(row.id)
      const ends = invoice && after(invoice.createdAt, limits.unpaid.ends)
      const sum = { amount: owed?.due ?? row.amount ?? 0, currency: row.currency! }
      const next = invoice?.nextPaymentAttempt
      const lookOnly = graceEnd(row)
      await tellOfUnpaid(
        row,
        {
          ...sum,
          card: owed?.declined?.card ?? null,
          next: next ? seconds(next) : null,
          ends: ends ? seconds(ends) : null,
          lookOnly: lookOnly && lookOnly > triedAt ? seconds(lookOnly) : null,
          isLast: ends !== undefined && after(ends, -limits.unpaid.warned) <= triedAt,
        },
        services,
      )
    })
  },

  refundUnused: ({ id }, { payments }) => payments.refundUnused(id),

  ...aheadJobs,

  async warnOfEnd(_payload, { store, jobs, now }) {
    const warned = limits.unpaid.ends - limits.unpaid.warned
    const ending = { createdBefore: after(now(), -warned), warned }
    for (const subscriptionId of await store.invoices.listEnding(ending))
      await addUnpaid(subscriptionId, now(), { jobs })
  },

  /** Mails both owners which card stays, and tells the new owner when the plan renews. */
  async mailTransfer({ subscriptionId, from, to }, services) {
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
    const isPaid = row.providerSubscriptionId !== null && row.renewsAt !== null
    const renews = (isPaid && nextCharge(chargesOf(row))) || null
    const values = { ...ofProject(row), card, isPaid }
    await services.transaction(async (services) => {
      const received = { ...values, formerOwner: former?.displayName ?? '', renews }
      await tell(owner, 'ownershipReceived', received, services)
      const given = { ...values, newOwner: owner.displayName }
      if (former) await tell(former, 'ownershipGiven', given, services)
    })
  },
} satisfies Partial<Tasks>

async function keepCard(cardId: string, services: Services) {
  const found = await services.payments.findCard(cardId)
  const row = found?.addedBy && (await services.store.billing.findByCustomer(found.customerId))
  if (row)
    await withBillingLease(row.id, services, (lease) => keepAddedCard(lease, cardId, services))
}

function isTold({ dunnedAt }: BillingRow, triedAt: Date) {
  return dunnedAt !== null && triedAt < after(dunnedAt, limits.unpaid.mailed)
}
