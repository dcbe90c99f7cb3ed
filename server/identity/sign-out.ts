import { handle } from '../core/handle.ts'

export const signOut = handle('signOut', async ({ user, visit }, { store }) => {
  // A deletion of the account, too, takes the row of the user before those of the sessions.
  await store.users.hold(user.uid)
  await store.sessions.end(user.session.id)
  visit.forgetRefreshToken()
  return {}
})
