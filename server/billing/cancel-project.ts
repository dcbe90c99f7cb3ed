import { findPerson, record } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'
import { mailCanceled } from './mail-owner.ts'

/** Ends a project whose row the caller has locked; its open invitations end with it. Nobody did it where it was not paid. */
export async function cancelProject(
  row: BillingRow,
  because: 'asked' | 'unpaid',
  services: Services,
) {
  const { store, now } = services
  if (!(await store.subscriptions.cancel(row.id))) return
  await store.invites.revokeAll(row.id, now())
  const by = because === 'asked' ? await findPerson(row.requestedBy, services) : undefined
  await record('projectCanceled', { by, in: row.id, details: { because } }, services)
  await mailCanceled(row, because, services)
}
