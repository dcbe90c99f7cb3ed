import { activityKinds } from '#contract/activity.ts'
import { handle } from '../core/handle.ts'

export const listOwnActivity = handle('listOwnActivity', async ({ input, user }, { store }) => {
  const { area, page, pageSize } = input
  return store.activity.listOf(user.uid, { page, pageSize, kinds: area && activityKinds[area] })
})
