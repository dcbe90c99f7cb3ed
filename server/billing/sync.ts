import { findPlan } from '#contract/access.ts'
import type { Payments, ProviderSubscription } from '../providers/payments/payments.ts'
import type { ProviderInvoice } from '../store/invoices.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'
import { withoutPlan } from '../store/without-plan.ts'
import { cancelProject } from './cancel-project.ts'
import { isHandingOver } from './handing-over.ts'
import { mailCardMissing, mailPaymentFailed, mailReceipt } from './mail-owner.ts'
import { planOfPrice, type KnownPlan } from './offered-plan.ts'
import { recordPlan } from './record-plan.ts'
import { settleCard } from './tried-card.ts'

export type Also = (services: Services) => Promise<unknown>
type FoundInvoice = NonNullable<Awaited<ReturnType<Payments['findInvoice']>>>
type Read = { plan: ProviderSubscription; ticket: number }

const nothing: Also = async () => {}
const week = 7 * 24 * 3_600_000

/**
 * Asks how a plan stands and writes that, with what else belongs to it, in one transaction. Only what was read is ever written, never
 * what a change answered: so, whatever the order, the last word is the newest truth. Plans of others that share the account are left
 * alone.
 */
export async function syncPlan(
  planId: string,
  services: Services,
  also = nothing,
): Promise<ProviderSubscription | undefined> {
  return syncRead(await readPlan(planId, services), services, also)
}

/** As `syncPlan`, of a plan that was read otherwise; its ticket was taken before it was asked for. */
export async function syncRead(
  read: Read | undefined,
  services: Services,
  also = nothing,
): Promise<ProviderSubscription | undefined> {
  if (read && (await owesNothing(read, services))) {
    await services.payments.endPlan(read.plan.id)
    read = await readPlan(read.plan.id, services)
  }
  if (read) await settleCardIfNobodyDoes(read, services)
  await services.transaction(async (services) => {
    if (read) await write(read, services)
    await also(services)
  })
  return read?.plan
}

export async function syncInvoice(invoiceId: string, services: Services, also = nothing) {
  const { payments, store } = services
  let found = await payments.findInvoice(invoiceId)
  const before =
    found?.subscriptionId === undefined ? undefined : await store.billing.find(found.subscriptionId)
  if (found && before && (await isLeftOver(found, before, services))) {
    await payments.closeInvoice(invoiceId)
    found = await payments.findInvoice(invoiceId)
  }
  if (found && before) tellIfBlocked(found.invoice, before, services)
  const plan =
    found && before && mayChangePlan(found.invoice, before) ? before.providerSubscriptionId : null
  await services.transaction(async (services) => {
    const row = before && (await lockedRow(before.id, services))
    // What is paid is kept before the plan is heard of: by then another invoice may be its newest.
    if (row && found && (row.status !== 'incomplete' || found.invoice.status === 'paid'))
      await writeInvoice(row, found.invoice, services)
    if (plan === null) await also(services)
  })
  if (plan !== null) await syncPlan(plan, services, also)
}

/** It became final when its plan had ended. */
async function isLeftOver(
  { invoice, planId }: FoundInvoice,
  row: BillingRow,
  { payments }: Services,
) {
  if (invoice.status !== 'open' || planId === undefined) return false
  if (row.status === 'active' && row.providerSubscriptionId === planId) return false
  return (await payments.findPlan(planId))?.state === 'ended'
}

/** An invoice that can't be finalized leaves its plan as it is, for free; with an older one settled the plan may be well again. Neither is an event of the plan's. */
function mayChangePlan({ blocked, status }: ProviderInvoice, { payment }: BillingRow) {
  return blocked !== undefined || (payment !== 'ok' && status !== 'open')
}

function tellIfBlocked({ id, blocked }: ProviderInvoice, row: BillingRow, { log }: Services) {
  if (blocked === undefined || row.providerSubscriptionId === null) return
  const about = { subscription: row.id, invoice: id, code: blocked }
  log.error(about, 'an invoice can not be finalized: until it is, nobody pays for the project')
}

async function readPlan(planId: string, { store, payments }: Services): Promise<Read | undefined> {
  const ticket = await store.billing.takeTicket()
  const plan = await payments.findPlan(planId, { mayOweMore: await store.invoices.hasOpen(planId) })
  return plan && { plan, ticket }
}

/** Nobody is charged for a project that has ended, what was left open included, or twice for one that goes on. */
async function owesNothing({ plan, ticket }: Read, { store, log }: Services) {
  const row = await store.billing.find(plan.subscriptionId)
  if (!row || row.synced >= ticket) return false
  // A draft becomes final and is charged though its plan has ended.
  if (plan.state === 'ended')
    return plan.invoice?.status === 'open' || plan.invoice?.status === 'draft'
  if (!isWithoutPayer(row) && speaksFor(plan, row)) return false
  if (plan.state === 'active')
    log.error(
      { subscription: row.id, plan: plan.id },
      'a plan that nobody should pay for is ended; look whether something is to be paid back',
    )
  return true
}

async function settleCardIfNobodyDoes({ plan }: Read, services: Services) {
  const row = await services.store.billing.find(plan.subscriptionId)
  if (row?.providerSubscriptionId !== plan.id) return
  if (!hasTurn(row, services)) return settleCard(row, plan, services)
  // The one with the turn may be at something else, and no other event comes of a plan that has ended.
  if (plan.state === 'ended' && plan.newCard !== undefined && row.status === 'active')
    await services.jobs.add(
      'settlePurchase',
      { subscriptionId: row.id },
      { key: `settle ${row.id}` },
    )
}

async function write({ plan, ticket }: Read, services: Services) {
  const row = await lockedRow(plan.subscriptionId, services)
  if (!row || !speaksFor(plan, row) || row.synced > ticket) return
  await services.store.billing.set(row.id, { synced: ticket })
  if (hasSkippedWeeks(row, plan))
    await services.jobs.add('compareWithProvider', {}, { key: 'compareWithProvider' })
  if (plan.state === 'ended' && row.status !== 'canceled') await writeEnd(row, plan, services)
  if (plan.state !== 'ended' && !isWithoutPayer(row)) await writeRunning(row, plan, services)
  if (plan.invoice && (row.status !== 'incomplete' || plan.state === 'active'))
    await writeInvoice(row, plan.invoice, services)
}

/** While nobody told us of anything: then there are invoices that we have never heard of, in this project and in others. */
function hasSkippedWeeks({ renewsAt }: BillingRow, { renews }: ProviderSubscription) {
  return renewsAt !== null && renews * 1000 - renewsAt.getTime() > 1.5 * week
}

export async function lockedRow(id: string, { store }: Services) {
  await store.subscriptions.lock(id)
  return store.billing.find(id)
}

/** The project has ended, or its buyer deleted their account before the first payment came. */
function isWithoutPayer({ status, ownerId }: BillingRow) {
  return status === 'canceled' || ownerId === null
}

/** A project without a plan takes on one that lives; one that has ended says nothing about it any more. */
function speaksFor(plan: ProviderSubscription, { providerSubscriptionId }: BillingRow) {
  return (
    providerSubscriptionId === plan.id ||
    (providerSubscriptionId === null && plan.state !== 'ended')
  )
}

async function writeRunning(row: BillingRow, plan: ProviderSubscription, services: Services) {
  const { store, log } = services
  await store.billing.set(row.id, { customerId: plan.customerId, providerSubscriptionId: plan.id })
  if (plan.state === 'unpaid') return
  const known = planOfPrice(plan.priceId)
  if (!known)
    log.error(
      { subscription: row.id, price: plan.priceId },
      'no plan in the configuration has this price',
    )
  await store.billing.set(row.id, {
    status: 'active',
    payment: plan.payment,
    renewsAt: new Date(plan.renews * 1000),
    weeklyAmount: plan.weekly,
    currency: plan.currency,
    endsAt: plan.ends === undefined ? null : new Date(plan.ends * 1000),
    collectionPaused: plan.isPaused,
    hasCard: plan.hasCard,
    ...(known && { planId: known.id }),
    ...(!plan.isChanging && !hasTurn(row, services) && { nextPlanId: null }),
  })
  await recordPlan(row, known?.id ?? row.planId, services)
  if (row.status === 'active' && row.payment === 'ok' && plan.payment !== 'ok')
    await mailPaymentFailed(row, plan.payment, services)
  const hasLostCard = row.status === 'active' && row.hasCard && !plan.hasCard
  // A transfer mails it by itself.
  if (hasLostCard && !(await isHandingOver(row.id, services)))
    await mailCardMissing(row, plan.renews, services)
}

async function writeEnd(
  row: BillingRow,
  { customerId, ended }: ProviderSubscription,
  services: Services,
) {
  const { store, jobs } = services
  if (row.status === 'incomplete') {
    if (hasTurn(row, services)) return
    await jobs.add('removeCustomer', { customerId })
    return store.subscriptions.removeIncomplete(row.id)
  }
  // It was never paid for: the project stays what it was.
  if (findPlan(row.planId)!.free)
    return store.billing.set(row.id, { ...withoutPlan, providerSubscriptionId: null })
  const next =
    ended?.because === 'changed' ? (findPlan(ended.changedTo) as KnownPlan | undefined) : undefined
  if (next) {
    await store.billing.set(row.id, {
      ...withoutPlan,
      providerSubscriptionId: null,
      planId: next.id,
    })
    return recordPlan(row, next.id, services)
  }
  await cancelProject(row, ended?.because === 'unpaid' ? 'unpaid' : 'asked', services)
}

export async function writeInvoice(row: BillingRow, invoice: ProviderInvoice, services: Services) {
  const { isNewlyPaid } = await services.store.invoices.put(row.id, invoice)
  if (isNewlyPaid && row.receipts && invoice.amount_paid > 0)
    await mailReceipt(row, invoice, services)
}

/** The holder of the turn settles the purchase or the change. */
function hasTurn({ billingLeaseUntil }: BillingRow, { now }: Services) {
  return billingLeaseUntil !== null && billingLeaseUntil > now()
}
