import { handle } from '../../handle.ts'

export const updateProfile = handle('updateProfile', async ({ input, user }, { identity }) => {
  await identity.updateProfile(user.uid, input)
  return {}
})
