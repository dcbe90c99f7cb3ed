import { findPlan } from '#contract/access.ts'
import { handle } from '../core/handle.ts'

export const getSubscriptionUsers = handle(
  'getSubscriptionUsers',
  async ({ input, subscription }, { store, now }) => {
    const { page, pageSize, permission, search } = input
    const listed = await store.members.listUsers(subscription.id, {
      page,
      pageSize,
      permission,
      search,
      now: now(),
    })
    const seats = {
      total: findPlan(subscription.plan_id)!.seats,
      members: await store.members.count(subscription.id),
      pending: await store.invites.countOpen(subscription.id, now()),
    }
    return { ...listed, seats }
  },
)
