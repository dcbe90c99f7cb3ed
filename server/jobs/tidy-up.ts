import { billingLimits, limits } from '#config/limits.ts'
import type { Services } from '../core/services.ts'
import { after } from '../platform/time.ts'

/** Removes what has served its time. */
export async function tidyUp({ store, now }: Services) {
  await store.sessions.removeExpired(now())
  await store.actionCodes.removeExpired(after(now(), -limits.actionCodes.recoverEmail))
  await store.providerFlows.removeExpired(now())
  await store.providerEvents.removeOlder(after(now(), -billingLimits.eventsKept))
  await store.activity.removeOlder(after(now(), -limits.activity.kept))
  await store.idempotency.removeOlder(after(now(), -limits.calls.idempotencyKept))
}
