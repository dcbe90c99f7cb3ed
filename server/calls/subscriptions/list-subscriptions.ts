import { handle } from '../../handle.ts'

export const listSubscriptions = handle('listSubscriptions', async ({ user }, { store }) => ({
  subscriptions: await store.subscriptions.listOf(user.uid),
}))
