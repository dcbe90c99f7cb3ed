import { limits } from '#config/limits.ts'
import { plans } from '#config/plans.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'

const freePlans = plans.filter(({ free }) => free).map(({ id }) => id)

/** Whether somebody may own this project on a free plan besides those that they have. Meant to be asked while its owner is locked. */
export async function requireRoomForFree(
  ownerId: string,
  subscriptionId: string,
  { store }: Pick<Services, 'store'>,
) {
  const limit = limits.projects.freeOwned
  if ((await store.subscriptions.countOthersOf(ownerId, freePlans, subscriptionId)) >= limit)
    throw new Refusal('tooManyProjects', { limit })
}
