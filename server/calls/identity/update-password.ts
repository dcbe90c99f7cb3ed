import { endFormerAccess, requireRecentSignIn } from '../../account-security.ts'
import { mailSecurityNotice } from '../../action-codes.ts'
import { person, record } from '../../activity.ts'
import { handle } from '../../handle.ts'
import { rowOf } from '../../sessions.ts'

export const updatePassword = handle('updatePassword', async ({ input: { newPassword }, user }, services) => {
  requireRecentSignIn(user, services)
  await services.attempts.take('passwordChangeByAccount', user.uid)
  const password = await services.identity.preparePassword(newPassword, { email: user.email, caller: user.uid })
  await services.transaction(async (services) => {
    const { identity } = services
    await endFormerAccess(user.uid, services, { keepSession: user.session.id })
    await identity.updateUser(user.uid, { password })
    await record('passwordChanged', { by: person(user) }, services)
    await mailSecurityNotice(await rowOf(user, services), { kind: 'passwordChanged' }, services)
  })
  return {}
})
