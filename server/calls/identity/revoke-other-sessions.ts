import { endFormerAccess } from '../../account-security.ts'
import { handle } from '../../handle.ts'

export const revokeOtherSessions = handle('revokeOtherSessions', async ({ user }, services) => {
  await endFormerAccess(user.uid, services, { keepSession: user.session.id })
  return {}
})
