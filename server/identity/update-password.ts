import { endFormerAccess, requireRecentSignIn } from './account-security.ts'
import { mailSecurityNotice } from './action-codes.ts'
import { person, record } from '../activity/activity.ts'
import { rememberDevice } from './devices.ts'
import { handle } from '../core/handle.ts'

export const updatePassword = handle(
  'updatePassword',
  async ({ input: { newPassword }, user, visit }, services) => {
    requireRecentSignIn(user, services)
    await services.attempts.take('passwordChangeBySession', user.session.id)
    const password = await services.identity.preparePassword(newPassword, {
      email: user.email,
      caller: user.uid,
    })
    const row = await services.transaction(async (services) => {
      const { identity } = services
      const row = await endFormerAccess(user.uid, services, { keepSession: user.session.id })
      await identity.updateUser(user.uid, { password })
      await record('passwordChanged', { by: person(user) }, services)
      await mailSecurityNotice(row, { kind: 'passwordChanged' }, services)
      return row
    })
    rememberDevice(row, visit, services)
    return {}
  },
)
