import type { PlanId } from '#config/plans.ts'
import { findPerson, record } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'

/** Keeps that a project has another plan from now on, or is there from now on: its first one is paid. */
export async function recordPlan(row: BillingRow, planId: PlanId, services: Services) {
  if (row.status === 'incomplete')
    return record(
      'projectCreated',
      { by: await findPerson(row.ownerId, services), in: row.id, details: { plan: planId } },
      services,
    )
  if (row.planId === planId) return
  const by = await findPerson(row.requestedBy, services)
  await record(
    'planChanged',
    { by, in: row.id, details: { from: row.planId, to: planId } },
    services,
  )
}
