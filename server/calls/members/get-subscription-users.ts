import { handle } from '../../handle.ts'

export const getSubscriptionUsers = handle(
  'getSubscriptionUsers',
  async ({ input: { page, pageSize, permission }, subscription }, { store, now }) =>
    store.members.listUsers(subscription.id, { page, pageSize, permission, now: now() }),
)
