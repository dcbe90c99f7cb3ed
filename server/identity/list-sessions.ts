import { handle } from '../core/handle.ts'

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
