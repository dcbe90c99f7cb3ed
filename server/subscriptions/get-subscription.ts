import { handle } from '../core/handle.ts'

export const getSubscription = handle('getSubscription', async ({ subscription }) => ({
  subscription,
}))
