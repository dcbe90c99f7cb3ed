import { handle } from '../../handle.ts'

export const updateSubscriptionSettings = handle('updateSubscriptionSettings', async ({ input, subscription }, { store }) => {
  await store.subscriptions.setSettings(subscription.id, input.settings)
  return {}
})
