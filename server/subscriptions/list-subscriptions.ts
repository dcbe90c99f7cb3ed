import { handle } from '../core/handle.ts'

export const listSubscriptions = handle('listSubscriptions', async ({ input, user }, { store }) => {
  const { page, pageSize, search, sort } = input
  if (page === undefined && !search && sort === 'newest') {
    const subscriptions = await store.subscriptions.listOf(user.uid)
    return { subscriptions, total: subscriptions.length }
  }
  return store.subscriptions.pageOf(user.uid, { page: page ?? 1, pageSize, search, sort })
})
