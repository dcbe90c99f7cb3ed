import { handle } from '../../handle.ts'

export const getSubscription = handle('getSubscription', async ({ subscription }) => ({
  subscription,
}))
