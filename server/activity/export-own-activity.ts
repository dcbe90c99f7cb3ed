import { limits } from '#config/limits.ts'
import { handle } from '../core/handle.ts'

export const exportOwnActivity = handle('exportOwnActivity', async ({ user }, { store }) => ({
  activity: await store.activity.allOf(user.uid, limits.activity.exported),
}))
