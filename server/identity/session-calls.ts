import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import { endFormerAccess } from './account-security.ts'
import { rememberDevice } from './devices.ts'

export const listSessions = handle('listSessions', async ({ user }, { store }) => {
  const sessions = await store.sessions.listOf(user.uid)
  return {
    sessions: sessions.map(({ id, signedInAt, usedAt, address, userAgent }) => ({
      id,
      created: Math.floor(signedInAt.getTime() / 1000),
      last_used: Math.floor(usedAt.getTime() / 1000),
      address,
      user_agent: userAgent,
      is_current: id === user.session.id,
    })),
  }
})

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

export const revokeOtherSessions = handle(
  'revokeOtherSessions',
  async ({ user, visit }, services) => {
    const row = await endFormerAccess(user.uid, services, { keepSession: user.session.id })
    rememberDevice(row, visit, services)
    return {}
  },
)
