import { limits } from '#config/limits.ts'
import { handle } from '../core/handle.ts'

export const exportActivity = handle('exportActivity', async ({ subscription }, { store }) => ({
  activity: await store.activity.all(subscription.id, limits.activity.exported),
}))
