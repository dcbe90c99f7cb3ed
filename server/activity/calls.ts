import { limits } from '#config/limits.ts'
import { activityKinds } from '#contract/activity.ts'
import { handle } from '../core/services.ts'

export const listActivity = handle('listActivity', async ({ input, subscription }, { store }) => {
  const { area, ...page } = input
  return store.activity.list(subscription.id, { ...page, kinds: area && activityKinds[area] })
})

export const listOwnActivity = handle('listOwnActivity', async ({ input, user }, { store }) => {
  const { area, ...page } = input
  return store.activity.listOf(user.uid, { ...page, kinds: area && activityKinds[area] })
})

const whole = { page: 1, pageSize: limits.activity.exported }

export const exportActivity = handle('exportActivity', async ({ subscription }, { store }) => ({
  activity: (await store.activity.list(subscription.id, whole)).activity,
}))

export const exportOwnActivity = handle('exportOwnActivity', async ({ user }, { store }) => ({
  activity: (await store.activity.listOf(user.uid, whole)).activity,
}))
