import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'

export const revokeSession = handle('revokeSession', async ({ input: { sessionId }, user, visit }, { store }) => {
  if (!(await store.sessions.endOf(user.uid, sessionId))) throw new Refusal('sessionNotFound')
  if (sessionId === user.session.id) visit.forgetRefreshToken()
  return {}
})
