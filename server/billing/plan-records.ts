import type { PlanId } from '#config/plans.ts'
import { isSameInterval, type Price } from '#contract/prices.ts'
import { isDeepStrictEqual } from 'node:util'
import { findPerson, findRequester, record } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import { seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'
import { priceOf } from '../store/charges.ts'

// What the activity log says of a project's plan. Callers run it in the transaction of the change.

/** Records in the activity log that the plan changes, or that a new subscription is paid. */
export async function recordPlan(
  row: BillingRow,
  planId: PlanId,
  services: Services,
  price: Price | null = null,
) {
  const isNew = row.status === 'incomplete'
  const intervals = intervalsOf(row, price)
  if (!isNew && row.planId === planId && intervals['toPrice'] === undefined) return
  const by = await findPerson(isNew ? row.ownerId : row.requestedBy, services)
  const entry = { by, in: row.id }
  if (isNew) return record('projectCreated', { ...entry, details: { plan: planId } }, services)
  const details = { from: row.planId, to: planId, ...intervals }
  await record('planChanged', { ...entry, details }, services)
}

type Values = Pick<BillingRow, 'endsAt' | 'endsBy' | 'scheduled' | 'frequency' | 'every'>

/** Records that the owner lets the project end later, or takes that back. */
export async function recordEnd(row: BillingRow, { endsAt, endsBy }: Values, services: Services) {
  const isOwn = endsBy === 'owner'
  if (row.status !== 'active' || isOwn === (row.endsBy === 'owner')) return
  const entry = { by: await findRequester(row.requestedBy, services), in: row.id }
  if (!isOwn) return record('cancellationWithdrawn', entry, services)
  const details = { at: String(seconds(endsAt!)) }
  await record('cancellationScheduled', { ...entry, details }, services)
}

/** A change that has taken effect is recorded as such, and was not taken back. */
export async function recordScheduled(
  row: BillingRow,
  values: Values & { planId?: PlanId },
  services: Services,
) {
  const [former, next] = [row.scheduled, values.scheduled]
  if (isDeepStrictEqual(former, next)) return
  const entry = { by: await findRequester(row.requestedBy, services), in: row.id }
  if (next) {
    const details = { to: next.planId, at: String(next.at), ...intervalsOf(row, next.price) }
    return record('planChangeScheduled', { ...entry, details }, services)
  }
  const isDone =
    former!.planId === (values.planId ?? row.planId) && isSameInterval(former!.price!, values)
  if (!isDone) await record('planChangeWithdrawn', entry, services)
}

/** Records that a trial begins, or is over, with a charge or without. */
export async function recordTrial(
  row: BillingRow,
  { trialEndsAt, lookOnly }: Pick<BillingRow, 'trialEndsAt' | 'lookOnly'>,
  services: Services,
) {
  const wasOn = row.trialEndsAt !== null && row.lookOnly === null
  const isOn = trialEndsAt !== null && lookOnly === null
  if (isOn === wasOn) return
  if (!isOn) return record('trialEnded', { in: row.id }, services)
  const by = await findPerson(row.requestedBy ?? row.ownerId, services)
  const details = { at: String(seconds(trialEndsAt)) }
  await record('trialBegun', { by, in: row.id, details }, services)
}

/** The intervals of two prices, if they differ: `{ fromPrice: '1 month', toPrice: '1 year' }`. */
function intervalsOf(row: BillingRow, to: Price | null): Record<string, string> {
  const from = priceOf(row)
  if (!from || !to || isSameInterval(from, to)) return {}
  const inWords = ({ every, frequency }: Price) => `${every} ${frequency}`
  return { fromPrice: inWords(from), toPrice: inWords(to) }
}
