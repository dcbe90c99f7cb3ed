import { settleInTurn } from './settle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { after } from '../platform/time.ts'

/** How long a purchase may be under way before somebody looks after it. */
const settled = 2 * 60_000

/**
 * Looks after jobs of servers that died, and after purchases and changes of plan that stopped half-way: a crash between our row and the
 * provider, an answer that was lost, or an event that never came.
 */
export async function reconcile(services: Services, begunBefore = after(services.now(), -settled)) {
  const { jobs, store, now, log, serverId } = services
  await jobs.releaseAbandoned({ asker: serverId })
  for (const { id } of await store.billing.listUnsettled({
    createdBefore: begunBefore,
    now: now(),
  })) {
    await settleInTurn(id, services, { wait: 0 }).catch((error: unknown) => {
      if (error instanceof Refusal && error.reason === 'billingBusy') return
      log.error({ err: error, subscription: id }, 'could not reconcile a project')
    })
  }
}
