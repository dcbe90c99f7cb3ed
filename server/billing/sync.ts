import { findPlan } from '#contract/access.ts'
import type { PlanAtProvider, ProviderInvoice } from '../providers/payments/payments.ts'
import type { Services } from '../services.ts'
import type { BillingRow } from '../store/billing.ts'
import { withoutPlan } from '../store/without-plan.ts'
import { cancelProject } from './cancel-project.ts'
import { isHandingOver } from './handing-over.ts'
import { mailCardMissing, mailPaymentFailed, mailReceipt } from './mail-owner.ts'
import { planOfPrice, type KnownPlan } from './offered-plan.ts'
import { recordPlan } from './record-plan.ts'

type Also = (services: Services) => Promise<unknown>
type Read = { plan: PlanAtProvider; ticket: number }

const nothing: Also = async () => {}

/**
 * Asks how a plan stands and writes that, with what else belongs to it, in one transaction. Only what was read is ever written, never
 * what a change answered: so, whatever the order, the last word is the newest truth. Plans of others that share the account are left
 * alone.
 */
export async function syncPlan(planId: string, services: Services, also = nothing): Promise<PlanAtProvider | undefined> {
  let read = await readPlan(planId, services)
  if (read && (await owesNothing(read, services))) {
    await services.payments.endPlan(planId)
    read = await readPlan(planId, services)
  }
  await services.transaction(async (services) => {
    if (read) await write(read, services)
    await also(services)
  })
  return read?.plan
}

export async function syncInvoice(invoiceId: string, services: Services, also = nothing) {
  const found = await services.payments.findInvoice(invoiceId)
  await services.transaction(async (services) => {
    const row = found?.subscriptionId !== undefined ? await lockedRow(found.subscriptionId, services) : undefined
    // What is paid is kept before the plan is heard of: by then another invoice may be its newest.
    if (row && (row.status !== 'incomplete' || found!.invoice.status === 'paid')) await writeInvoice(row, found!.invoice, services)
    await also(services)
  })
}

async function readPlan(planId: string, { store, payments }: Services): Promise<Read | undefined> {
  const ticket = await store.billing.takeTicket()
  const plan = await payments.findPlan(planId)
  return plan && { plan, ticket }
}

/** Nobody is charged for a project that has ended, what was left open included, or twice for one that goes on. */
async function owesNothing({ plan, ticket }: Read, { store, log }: Services) {
  const row = await store.billing.find(plan.subscriptionId)
  if (!row || row.synced >= ticket) return false
  if (plan.state === 'ended') return plan.invoice?.status === 'open'
  if (!isWithoutPayer(row) && speaksFor(plan, row)) return false
  if (plan.state === 'active')
    log.error(
      { subscription: row.id, plan: plan.id },
      'a plan that nobody should pay for is ended; look whether something is to be paid back',
    )
  return true
}

async function write({ plan, ticket }: Read, services: Services) {
  const row = await lockedRow(plan.subscriptionId, services)
  if (!row || !speaksFor(plan, row) || row.synced > ticket) return
  await services.store.billing.set(row.id, { synced: ticket })
  if (plan.state === 'ended' && row.status !== 'canceled') await writeEnd(row, plan, services)
  if (plan.state !== 'ended' && !isWithoutPayer(row)) await writeRunning(row, plan, services)
  if (plan.invoice && (row.status !== 'incomplete' || plan.state === 'active')) await writeInvoice(row, plan.invoice, services)
}

async function lockedRow(id: string, { store }: Services) {
  await store.subscriptions.lock(id)
  return store.billing.find(id)
}

/** The project has ended, or its buyer deleted their account before the first payment came. */
function isWithoutPayer({ status, ownerId }: BillingRow) {
  return status === 'canceled' || ownerId === null
}

/** A project without a plan takes on one that lives; one that has ended says nothing about it any more. */
function speaksFor(plan: PlanAtProvider, { planAtProviderId }: BillingRow) {
  return planAtProviderId === plan.id || (planAtProviderId === null && plan.state !== 'ended')
}

async function writeRunning(row: BillingRow, plan: PlanAtProvider, services: Services) {
  const { store, log } = services
  await store.billing.set(row.id, { customerId: plan.customerId, planAtProviderId: plan.id })
  if (plan.state === 'unpaid') return
  const known = planOfPrice(plan.priceId)
  if (!known) log.error({ subscription: row.id, price: plan.priceId }, 'no plan in the configuration has this price')
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
  if (row.status === 'active' && row.payment === 'ok' && plan.payment !== 'ok') await mailPaymentFailed(row, plan.payment, services)
  const hasLostCard = row.status === 'active' && row.hasCard && !plan.hasCard
  // A transfer mails it by itself.
  if (hasLostCard && !(await isHandingOver(row.id, services))) await mailCardMissing(row, plan.renews, services)
}

async function writeEnd(row: BillingRow, { customerId, ended }: PlanAtProvider, services: Services) {
  const { store, jobs } = services
  if (row.status === 'incomplete') {
    if (hasTurn(row, services)) return
    await jobs.add('removeCustomer', { customerId })
    return store.subscriptions.removeIncomplete(row.id)
  }
  // It was never paid for: the project stays what it was.
  if (findPlan(row.planId)!.free) return store.billing.set(row.id, { ...withoutPlan, planAtProviderId: null })
  const next = ended?.because === 'changed' ? (findPlan(ended.changedTo) as KnownPlan | undefined) : undefined
  if (next) {
    await store.billing.set(row.id, { ...withoutPlan, planAtProviderId: null, planId: next.id })
    return recordPlan(row, next.id, services)
  }
  await cancelProject(row, ended?.because === 'unpaid' ? 'unpaid' : 'asked', services)
}

async function writeInvoice(row: BillingRow, invoice: ProviderInvoice, services: Services) {
  const { isNewlyPaid } = await services.store.invoices.put(row.id, invoice)
  if (isNewlyPaid && row.receipts && invoice.amount_paid > 0) await mailReceipt(row, invoice, services)
}

/** Whoever has the turn settles the purchase or the change themselves. */
function hasTurn({ turnUntil }: BillingRow, { now }: Services) {
  return turnUntil !== null && turnUntil > now()
}
