import { handle } from '../../handle.ts'

export const updateProfile = handle('updateProfile', async ({ input, user }, { identity, store, now }) => {
  await store.users.update(user.uid, input, now())
  await identity.updateUser(user.uid, input)
  return {}
})
