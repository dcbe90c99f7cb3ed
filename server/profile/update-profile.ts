import { recordName } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'

export const updateProfile = handle('updateProfile', async ({ input, user }, services) => {
  const { identity, store, now } = services
  await store.users.update(user.uid, input, now())
  await identity.updateUser(user.uid, input)
  await recordName(user, input.displayName, services)
  return {}
})
