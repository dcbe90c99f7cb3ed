import { limits } from '#config/limits.ts'
import { activityKinds } from '#contract/activity.ts'
import type { Handlers } from '../core/services.ts'

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
    activity: store.activity.eachOf(subscription.id, limits.activity.exported),
  }),
  exportOwnActivity: async ({ user }, { store }) => ({
    activity: store.activity.eachOfUser(user.uid, limits.activity.exported),
  }),
} satisfies Partial<Handlers>
