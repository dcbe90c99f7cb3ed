import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'

export const revokeSession = handle(
  'revokeSession',
  async ({ input: { sessionId }, user, visit }, { store, now }) => {
    // A deletion of the account, too, takes the row of the user before those of the sessions.
    await store.users.hold(user.uid)
    if (!(await store.sessions.endOf(user.uid, sessionId))) throw new Refusal('sessionNotFound')
    await store.actionCodes.endAllOfSession({ id: sessionId, userId: user.uid }, now())
    if (sessionId === user.session.id) visit.forgetRefreshToken()
    return {}
  },
)
