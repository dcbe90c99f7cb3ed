import { handle } from '../../handle.ts'

export const revokeOtherSessions = handle('revokeOtherSessions', async ({ user }, { store }) => {
  await store.sessions.endAllOf(user.uid, { except: user.session.id })
  return {}
})
