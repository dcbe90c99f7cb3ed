import { activityKinds } from '#contract/activity.ts'
import { handle } from '../core/handle.ts'

export const listActivity = handle('listActivity', async ({ input, subscription }, { store }) => {
  const { area, page, pageSize, search } = input
  return store.activity.list(subscription.id, {
    page,
    pageSize,
    search,
    kinds: area && activityKinds[area],
  })
})
