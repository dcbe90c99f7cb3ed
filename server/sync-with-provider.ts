import type { PlanAtProvider } from './providers/payments/payments.ts'
import type { Services } from './services.ts'
import type { subscriptions } from './store/schema.ts'

type Row = typeof subscriptions.$inferSelect

/** Writes how a plan stands at the provider now. Plans of others that share the account are left alone. */
export async function syncPlan(planId: string, services: Services) {
  const plan = await services.payments.findPlan(planId)
  if (plan) await writePlan(plan, services)
}

export async function syncInvoice(invoiceId: string, services: Services) {
  const found = await services.payments.findInvoice(invoiceId)
  const row = found?.planId && (await services.store.subscriptions.findRowByPlanAtProvider(found.planId))
  if (row && row.status !== 'incomplete') await services.store.invoices.put(row.id, found.invoice)
}

/** The truth about one project, in one transaction on its locked row. */
export async function writePlan(plan: PlanAtProvider, services: Services) {
  await services.transaction(async ({ store }) => {
    await store.subscriptions.lock(plan.subscriptionId)
    const row = await store.subscriptions.findRow(plan.subscriptionId)
    // A plan bought in an attempt that was given up must not speak for the project.
    if (!row || (row.planAtProviderId && row.planAtProviderId !== plan.id)) return
    if (row.status === 'incomplete' && plan.state === 'ended') return store.subscriptions.removeIncomplete(row.id)
    await store.subscriptions.setBilling(row.id, {
      customerId: plan.customerId,
      planAtProviderId: plan.id,
      payment: plan.payment,
      ...(plan.state !== 'unpaid' && { status: plan.state === 'active' ? 'active' : 'canceled' }),
    })
    if (plan.invoice && plan.state !== 'unpaid') await store.invoices.put(row.id, plan.invoice)
  })
}

/** Brings a purchase that stopped half-way to its end: paid, still waiting for its buyer, or as if it had never been. */
export async function finishOrUndo(row: Row, services: Services) {
  const { payments, store } = services
  const plan = row.planAtProviderId
    ? await payments.findPlan(row.planAtProviderId)
    : row.customerId
      ? await payments.findPlanOfCustomer(row.customerId)
      : undefined
  if (plan && plan.state !== 'ended' && plan.declineCode === undefined) return writePlan(plan, services)
  if (row.customerId) await payments.abandon({ customerId: row.customerId, planId: plan?.state === 'ended' ? undefined : plan?.id })
  await store.subscriptions.removeIncomplete(row.id)
}
