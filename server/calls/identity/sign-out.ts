import { handle } from '../../handle.ts'

export const signOut = handle('signOut', async ({ user, visit }, { store }) => {
  await store.sessions.end(user.session.id)
  visit.forgetRefreshToken()
  return {}
})
