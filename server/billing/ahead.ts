import type { JobPayloads } from '../core/jobs.ts'
import type { Services } from '../core/services.ts'
import { isRefusal } from '../platform/refusal.ts'
import type { BillingRow } from '../store/billing.ts'
import { withBillingLease } from './lease.ts'
import { lookOnlyOf } from './look-only.ts'
import { mailPlanChangeAhead, mailPlanChangeKept, mailRenewalAhead } from './mails.ts'
import { momentsAfter, nextAhead } from './moments.ts'
import { requirePlan, requireRoomIn } from './plans.ts'
import { syncProviderSubscription } from './sync.ts'

/** Adds a job for each project that has something due. */
export async function lookAhead(_payload: unknown, { payments, store, jobs }: Services) {
  for (const { id } of await store.billing.listAhead({ until: await payments.now(), limit: 1000 }))
    await jobs.add('actAhead', { subscriptionId: id }, { key: `ahead ${id}` })
}

/** Does what is due for one project. */
export async function actAhead(
  { subscriptionId: id }: JobPayloads['actAhead'],
  services: Services,
) {
  const { payments, transaction } = services
  const now = await payments.now()
  const found = await services.store.billing.find(id)
  const due =
    found?.providerSubscriptionId && (await payments.previewNext(found.providerSubscriptionId))
  await transaction(async (services) => {
    const { store, jobs } = services
    const row = await store.subscriptions.lockRow(id)
    if (!row || row.status !== 'active' || row.aheadAt === null || row.aheadAt > now) return
    const moments = momentsAfter(row, row.aheadDone).filter(({ at }) => at <= now)
    const acts = new Set(moments.map(({ act }) => act))
    const lookOnly = lookOnlyOf(row, now)
    await store.billing.update(id, { aheadDone: now, aheadAt: nextAhead(row, now), lookOnly })
    if (acts.has('seats'))
      await jobs.add('checkSeats', { subscriptionId: id }, { key: `seats ${id}` })
    if (acts.has('planChange') && row.scheduled) {
      const amount = row.scheduled.price ? (due?.due ?? row.scheduled.price.amount) : null
      await mailPlanChangeAhead(row, { amount, fits: await fits(row, services) }, services)
    }
    if (acts.has('renewal') && due) await mailRenewalAhead(row, due.due, services)
  })
}

/** Drops a scheduled change if the project doesn't fit. Else the smaller plan's seats now count. */
export async function checkSeats(
  { subscriptionId: id }: JobPayloads['checkSeats'],
  services: Services,
) {
  await withBillingLease(id, services, async () => {
    const isKept = await services.transaction(async (services) => {
      const row = await services.store.subscriptions.lockRow(id)
      if (!row?.scheduled?.isOwn || row.status !== 'active') return false
      if (!(await fits(row, services))) return true
      await services.store.billing.update(id, { heldPlanId: row.scheduled.planId })
      return false
    })
    const row = (await services.store.billing.find(id))!
    if (!isKept || row.providerSubscriptionId === null) return
    await services.payments.takeBack(row.providerSubscriptionId)
    await syncProviderSubscription(row.providerSubscriptionId, services)
    await services.transaction((services) => mailPlanChangeKept(row, services))
  })
}

async function fits(row: BillingRow, services: Services) {
  try {
    await requireRoomIn(row, requirePlan(row.scheduled!.planId), services)
    return true
  } catch (error) {
    if (isRefusal(error, 'tooManyMembers', 'planTooSmall', 'tooManyProjects', 'planNotAvailable'))
      return false
    throw error
  }
}
