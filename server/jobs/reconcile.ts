import type { Services } from '../services.ts'
import { after } from '../sessions.ts'
import { finishOrUndo } from '../sync-with-provider.ts'

/** How long a purchase may be under way before somebody looks after it. */
const settled = 2 * 60_000

/** How long a server may work on one job. */
export const abandoned = 10 * 60_000

/** Looks after jobs of servers that died, and after projects whose purchase stopped half-way: a crash between our row and the provider, or an event that never came. */
export async function reconcile(services: Services) {
  await services.jobs.releaseAbandoned({ takenBefore: after(services.now(), -abandoned) })
  for (const row of await services.store.subscriptions.listIncomplete({ createdBefore: after(services.now(), -settled) })) {
    await finishOrUndo(row, services).catch((error: unknown) =>
      services.log.error({ err: error, subscription: row.id }, 'could not reconcile a project'),
    )
  }
}
