import { limits } from '#config/limits.ts'
import { activityKinds } from '#contract/activity.ts'
import type { Handlers } from '../core/services.ts'

const whole = { page: 1, pageSize: limits.activity.exported }

export const activityCalls = {
  async listActivity({ input, subscription }, { store }) {
    const { area, ...page } = input
    return store.activity.list(subscription.id, { ...page, kinds: area && activityKinds[area] })
  },

  async listOwnActivity({ input, user }, { store }) {
    const { area, ...page } = input
    return store.activity.listOf(user.uid, { ...page, kinds: area && activityKinds[area] })
  },

  exportActivity: async ({ subscription }, { store }) => ({
    activity: (await store.activity.list(subscription.id, whole)).activity,
  }),

  exportOwnActivity: async ({ user }, { store }) => ({
    activity: (await store.activity.listOf(user.uid, whole)).activity,
  }),
} satisfies Partial<Handlers>
