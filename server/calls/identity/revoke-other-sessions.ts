import { endFormerAccess } from '../../account-security.ts'
import { rememberDevice } from '../../devices.ts'
import { handle } from '../../handle.ts'
import { rowOf } from '../../sessions.ts'

export const revokeOtherSessions = handle('revokeOtherSessions', async ({ user, visit }, services) => {
  await endFormerAccess(user.uid, services, { keepSession: user.session.id })
  rememberDevice(await rowOf(user, services), visit, services)
  return {}
})
