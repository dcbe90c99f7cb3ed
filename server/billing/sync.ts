import type { PlanId } from '#config/plans.ts'
import { findPlan } from '#contract/access.ts'
import { lengthOf } from '#contract/prices.ts'
import { isDeepStrictEqual } from 'node:util'
import { findRequester, record } from '../activity/record.ts'
import { newJob } from '../core/jobs.ts'
import type { Services } from '../core/services.ts'
import type { ProviderSubscriptionId, SubscriptionId } from '../platform/ids.ts'
import { day } from '../platform/time.ts'
import type {
  Payments,
  ProviderEvent,
  ProviderSubscription,
} from '../providers/payments/payments.ts'
import type { BillingRow } from '../store/billing.ts'
import { chargeWithoutCard } from '../store/charges.ts'
import type { InvoiceRow, ProviderInvoice } from '../store/invoices.ts'
import type { Begun } from '../store/reading.ts'
import { withoutPayment, type ScheduledChange } from '../store/schema.ts'
import { addEndTrial, afterGrace, afterTrial } from './look-only.ts'
import { addUnpaid, tellAdmins, tellOwner, tellOfReceipt } from './mails.ts'
import { nextAhead } from './moments.ts'
import { planOfPrice, type KnownPlan } from './plans.ts'
import { recordEnd, recordPlan, recordScheduled, recordTrial } from './plan-records.ts'
import { isTransferring } from './transfer-state.ts'

// This module writes only what it reads from the provider, never the answer to a change, and
// nothing older than our row. The states are in docs/decisions/008-one-truth-about-money.md.

type Reading = { current: ProviderSubscription; ticket: number }
type Also = (services: Services) => Promise<unknown>
type FoundInvoice = NonNullable<Awaited<ReturnType<Payments['findInvoice']>>>

/** Adds an event to the inbox, once, with the job that processes it. */
export async function receiveEvent(
  { objectId, ...event }: ProviderEvent,
  { store, now, wake }: Services,
) {
  // Some events, such as those about upcoming invoices, have an object without an id.
  if (objectId === undefined) return
  const job = newJob('processEvent', { eventId: event.id }, { key: event.id })
  await store.providerEvents.add({ ...event, objectId, now: now() }, job)
  wake()
}

/**
 * Reads a provider subscription and writes its state into our row, if it is of this product. What
 * it returns was written together with `also`.
 */
export async function syncProviderSubscription(
  id: ProviderSubscriptionId,
  services: Services,
  { begun, also }: { begun?: Begun; also?: Also } = {},
) {
  return syncReading(await read(id, services, begun), services, also)
}

/** Syncs a provider subscription from a list. The ticket was taken before the list was read. */
export async function syncReading(
  reading: Reading | undefined,
  services: Services,
  also?: Also,
): Promise<ProviderSubscription | undefined> {
  if (reading && (await write(reading, services, { also })) === 'unwanted') {
    const { id } = reading.current
    await services.payments.endProviderSubscription(id)
    reading = await read(id, services)
    if (reading) await write(reading, services, { isEnded: true, also })
  }
  return reading?.current
}

async function read(
  id: ProviderSubscriptionId,
  { store, payments }: Services,
  begun?: Begun,
): Promise<Reading | undefined> {
  const { ticket, mayOweMore } = begun ?? (await store.invoices.beginReading(id))
  const current = await payments.findProviderSubscription(id, { mayOweMore })
  return current && { current, ticket }
}

/** Writes nothing if the provider subscription is unwanted, unless it has just been ended. */
async function write(
  { current, ticket }: Reading,
  { transaction }: Services,
  { isEnded = false, also }: { isEnded?: boolean; also?: Also | undefined },
) {
  return transaction(async (services) => {
    const { row, former } = await lockWithInvoice(current.subscriptionId, current.invoice, services)
    if (row && row.synced <= ticket) {
      if (!isEnded && row.synced < ticket && isUnwanted(row, current, services)) return 'unwanted'
      if (belongsTo(current, row)) await writeInto(row, { current, ticket, former }, services)
    }
    await also?.(services)
  })
}

/** Locks the row of a subscription, and finds our row of the invoice. */
export async function lockWithInvoice(
  id: SubscriptionId,
  invoice: ProviderInvoice | undefined,
  { store }: Services,
) {
  const [row, former] = await Promise.all([
    store.subscriptions.lockRow(id),
    invoice && store.invoices.find(invoice.id),
  ])
  return { row, former }
}

/** Nobody pays for a canceled subscription, not even what it owes, or twice for an active one. */
function isUnwanted(row: BillingRow, current: ProviderSubscription, { log }: Services) {
  if (current.state === 'ended') return current.isLeftOwing
  if (hasPayer(row) && belongsTo(current, row)) return false
  if (current.state === 'active')
    log.error(
      { subscription: row.id, providerSubscription: current.id },
      'a subscription at the provider that nobody should pay for is ended: see whether to refund it',
    )
  return true
}

/** False for a canceled subscription, and if the buyer deleted their account before paying. */
function hasPayer({ status, ownerId }: BillingRow) {
  return status !== 'canceled' && ownerId !== null
}

/** A row without a provider subscription takes one that has not ended. */
function belongsTo({ id, state }: ProviderSubscription, { providerSubscriptionId }: BillingRow) {
  return providerSubscriptionId === id || (providerSubscriptionId === null && state !== 'ended')
}

async function writeInto(
  row: BillingRow,
  { current, ticket, former }: Reading & { former: InvoiceRow | undefined },
  services: Services,
) {
  const { store, jobs } = services
  const behind = row.renewsAt ? current.renews * 1000 - row.renewsAt.getTime() : 0
  const hasEnded = current.state === 'ended'
  await Promise.all([
    store.billing.setSynced({ id: row.id, ticket }),
    hasTriedCard(row, current, services) && recoverLater(row.id, services),
    // Our row is a period behind, so events were lost, perhaps of other subscriptions too.
    behind > 1.5 * lengthOf(current.price) * day && jobs.add('reconcile', {}, { key: 'reconcile' }),
    hasEnded && row.status !== 'canceled' && writeEnd(row, current, services),
    !hasEnded && hasPayer(row) && writeRunning(row, current, services),
  ])
  if (current.invoice && (row.status !== 'incomplete' || current.state === 'active'))
    await writeInvoice(row, current.invoice, former, services)
}

export async function recoverLater(
  subscriptionId: SubscriptionId,
  { jobs }: Pick<Services, 'jobs'>,
) {
  await jobs.add('recoverPurchase', { subscriptionId }, { key: `recover ${subscriptionId}` })
}

/**
 * Whether a job must keep or remove a card that was tried. The holder of a lease does that itself,
 * except after an end, because no other event comes then.
 */
function hasTriedCard(row: BillingRow, current: ProviderSubscription, services: Services) {
  if (current.newCard === undefined || row.status === 'canceled') return false
  if (current.state === 'ended') return row.status === 'active'
  return current.state === 'active' && !isLeased(row, services)
}

function isLeased({ billingLeaseUntil }: BillingRow, { now }: Services) {
  return billingLeaseUntil !== null && billingLeaseUntil > now()
}

async function writeRunning(row: BillingRow, current: ProviderSubscription, services: Services) {
  const { store, log } = services
  const { customerId, id: providerSubscriptionId, payment } = current
  if (current.state === 'unpaid')
    return store.billing.updateRow(row, { customerId, providerSubscriptionId })
  const plan = planOfPrice(current.priceId)
  if (!plan)
    log.error(
      { subscription: row.id, price: current.priceId },
      'no plan in the configuration has this price',
    )
  const values = valuesOf(current)
  const changes = {
    ...values,
    status: 'active',
    ...(plan && { planId: plan.id }),
    ...(await aheadOf(row, current, values, services)),
    // While a lease is held, its holder clears `nextPlanId`.
    ...(!current.isChanging && !isLeased(row, services) && { nextPlanId: null }),
  } as const
  const isNew = row.status === 'incomplete' || row.nextPlanId !== null
  await Promise.all([
    isNew && store.usedOnce.settle(row.id),
    store.billing.updateRow(row, changes),
    recordPlan(row, plan?.id ?? row.planId, services, current.price),
    recordTrial(row, changes, services),
    recordEnd(row, changes, services),
    recordScheduled(row, changes, services),
  ])
  if (row.status !== 'active') return
  if (changes.lookOnly?.because === 'trialEnded' && row.lookOnly === null)
    await addEndTrial(row.id, services)
  if (row.payment === 'ok' && payment !== 'ok')
    await addUnpaid(row.id, new Date((current.invoice?.created ?? current.renews) * 1000), services)
  const charge = chargeWithoutCard({ ...row, ...changes })
  const isNews = charge !== undefined && chargeWithoutCard(row) === undefined
  // The mail about a transfer tells the new owner that there is no card.
  if (isNews && !(await isTransferring(row.id, services)))
    await tellOwner(row, 'cardMissing', { renews: charge }, services)
}

/** What is due before a change that was scheduled just now, and is past, is not done. */
async function aheadOf(
  row: BillingRow,
  { isTrialOver }: ProviderSubscription,
  values: ReturnType<typeof valuesOf>,
  { payments }: Services,
) {
  const isScheduled = values.scheduled && !isDeepStrictEqual(values.scheduled, row.scheduled)
  const aheadDone = isScheduled ? await payments.now() : row.aheadDone
  const isOver = values.scheduled === null && { heldPlanId: null }
  // The provider's clock is asked only where there is something to compare with it.
  const lookOnly = isTrialOver
    ? afterTrial(values.trialEndsAt!)
    : values.overdueSince && afterGrace(values, await payments.now())
  const after = { ...row, ...values, lookOnly }
  return { ...isOver, lookOnly, aheadDone, aheadAt: nextAhead(after, aheadDone) }
}

/** What our row has of a provider subscription that runs. */
export function valuesOf(current: ProviderSubscription) {
  return {
    customerId: current.customerId,
    providerSubscriptionId: current.id,
    payment: current.payment,
    renewsAt: new Date(current.renews * 1000),
    ...current.price,
    endsAt: current.ends === undefined ? null : new Date(current.ends * 1000),
    endsBy: current.endsBy ?? null,
    scheduled: scheduledOf(current),
    trialEndsAt: current.trialEnds === undefined ? null : new Date(current.trialEnds * 1000),
    discount: current.discount ?? null,
    overdueSince: current.overdueSince === undefined ? null : new Date(current.overdueSince * 1000),
    collectionPaused: current.isPaused,
    hasCard: current.hasCard,
  }
}

/** A price that no plan has is shown to nobody, as if nothing was scheduled. */
function scheduledOf({ next }: ProviderSubscription): ScheduledChange | null {
  if (next === undefined) return null
  const { id, ...change } = next
  const plan = next.price ? planOfPrice(id) : findPlan(id)
  return plan ? { ...change, planId: plan.id as PlanId } : null
}

async function writeEnd(row: BillingRow, current: ProviderSubscription, services: Services) {
  const { store, jobs } = services
  const { customerId, ended } = current
  if (row.status === 'incomplete') {
    if (isLeased(row, services)) return
    await Promise.all([
      jobs.add('removeCustomer', { customerId }),
      store.subscriptions.removeIncomplete(row.id),
    ])
    return
  }
  if (current.isRefunded)
    await jobs.add('refundUnused', { id: current.id }, { key: `unused ${current.id}` })
  const withoutProvider = { ...withoutPayment, providerSubscriptionId: null }
  // The row still has a free plan: the first payment for a paid plan never came.
  if (findPlan(row.planId)!.free) return store.billing.update(row.id, withoutProvider)
  const plan =
    ended?.because === 'changed' ? (findPlan(ended.changedTo) as KnownPlan | undefined) : undefined
  const isByProduct = row.lookOnly?.because === 'trialEnded' && row.requestedBy === null
  if (!plan) {
    const isUnpaid = ended?.because === 'unpaid' || isByProduct
    return writeCancellation(row, isUnpaid ? 'unpaid' : 'asked', services)
  }
  await Promise.all([
    isByProduct && tellOwner(row, 'trialToFree', { from: row.planId, plan: plan.id }, services),
    store.billing.update(row.id, { ...withoutProvider, planId: plan.id }),
    recordPlan(row, plan.id, services),
  ])
}

/** Cancels a subscription, revokes its open invites, and ends other ways into it. The caller has locked the row. */
export async function writeCancellation(
  row: BillingRow,
  because: 'asked' | 'unpaid',
  services: Services,
) {
  const { store, now } = services
  if (!(await store.subscriptions.cancel(row.id))) return
  const [by] = await Promise.all([
    because === 'asked' ? findRequester(row.requestedBy, services) : undefined,
    store.invites.revokeAll(row.id, now()),
    store.joinLinks.remove(row.id),
    store.joinRequests.removeAllIn(row.id),
  ])
  await Promise.all([
    record('projectCanceled', { by, in: row.id, details: { because } }, services),
    tellOwner(row, because === 'asked' ? 'projectCanceled' : 'projectEndedUnpaid', {}, services),
    tellAdmins(row, by, services),
  ])
}

export async function syncInvoice(invoiceId: string, services: Services) {
  const { payments, store, transaction } = services
  let found = await payments.findInvoice(invoiceId)
  const row = found?.subscriptionId && (await store.billing.find(found.subscriptionId))
  if (found && row && (await isLeftOver(found, row, services))) {
    await payments.closeInvoice(invoiceId)
    found = await payments.findInvoice(invoiceId)
  }
  if (!found || !row) return
  const { invoice } = found
  const { providerSubscriptionId } = row
  if (invoice.blocked !== undefined && providerSubscriptionId !== null)
    services.log.error(
      { subscription: row.id, invoice: invoice.id, code: invoice.blocked },
      'an invoice can not be finalized: until it is, nobody pays for the project',
    )
  // Written before the provider subscription is read, which may have a newer invoice by then.
  await transaction(async (services) => {
    const { row: locked, former } = await lockWithInvoice(row.id, invoice, services)
    if (locked && (locked.status !== 'incomplete' || invoice.status === 'paid'))
      await writeInvoice(locked, invoice, former, services)
  })
  // A blocked or an older invoice causes no event about the provider subscription.
  const mayChangePayment =
    invoice.blocked !== undefined || (row.payment !== 'ok' && invoice.status !== 'open')
  if (mayChangePayment && providerSubscriptionId !== null)
    await syncProviderSubscription(providerSubscriptionId, services)
}

/** Whether an open invoice is left over from a provider subscription that has ended. */
async function isLeftOver(
  { invoice, providerSubscriptionId: id }: FoundInvoice,
  row: BillingRow,
  { payments }: Services,
) {
  if (invoice.status !== 'open' || id === undefined) return false
  if (row.status === 'active' && row.providerSubscriptionId === id) return false
  return (await payments.findProviderSubscription(id))?.state === 'ended'
}

export async function writeInvoice(
  row: BillingRow,
  invoice: ProviderInvoice,
  former: InvoiceRow | undefined,
  services: Services,
) {
  const { isNewlyPaid, failures } = await services.store.invoices.put(row.id, invoice, former)
  if (failures && row.status === 'active') await writeFailures(row, invoice, failures, services)
  if (!isNewlyPaid || invoice.amount_paid === 0) return
  const { id, number, amount_paid: amount, currency } = invoice
  const details = { amount: String(amount), currency, invoice: number ?? id }
  await Promise.all([
    record('paymentMade', { in: row.id, details }, services),
    row.receipts && tellOfReceipt(row, invoice, services),
  ])
}

/** Records each failed try. Of several within a day, the owner gets one mail. */
async function writeFailures(
  row: BillingRow,
  { remaining, currency }: ProviderInvoice,
  { count, at }: { count: number; at: Date },
  services: Services,
) {
  const entry = { in: row.id, details: { amount: String(remaining), currency } }
  const failures = Array.from({ length: count }, () => record('paymentFailed', entry, services))
  await Promise.all([...failures, addUnpaid(row.id, at, services)])
}
