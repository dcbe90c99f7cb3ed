import { endFormerAccess } from './account-security.ts'
import { rememberDevice } from './devices.ts'
import { handle } from '../core/handle.ts'

export const revokeOtherSessions = handle(
  'revokeOtherSessions',
  async ({ user, visit }, services) => {
    const row = await endFormerAccess(user.uid, services, { keepSession: user.session.id })
    rememberDevice(row, visit, services)
    return {}
  },
)
