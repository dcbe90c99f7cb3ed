import { changedFields, person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'

export const updateSubscriptionSettings = handle(
  'updateSubscriptionSettings',
  async ({ input, subscription, user }, services) => {
    const { id } = subscription
    const fields = changedFields(subscription.settings, input.settings)
    await services.store.subscriptions.setSettings(id, input.settings)
    if (fields.length > 0)
      await record('settingsChanged', { by: person(user), in: id, details: { fields } }, services)
    return {}
  },
)
