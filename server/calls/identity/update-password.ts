import { requireRecentSignIn } from '../../account-security.ts'
import { mailSecurityNotice } from '../../action-codes.ts'
import { person, record } from '../../activity.ts'
import { handle } from '../../handle.ts'

export const updatePassword = handle('updatePassword', async ({ input: { newPassword }, user }, services) => {
  requireRecentSignIn(user, services)
  await services.attempts.take('passwordChangeByAccount', user.uid)
  const password = await services.identity.preparePassword(newPassword, { email: user.email, caller: user.uid })
  await services.transaction(async (services) => {
    const { store, identity, now } = services
    await identity.updateUser(user.uid, { password })
    await store.sessions.endAllOf(user.uid, { except: user.session.id })
    await store.actionCodes.endAllOf(user.uid, ['resetPassword'], now())
    await record('passwordChanged', { by: person(user) }, services)
    const row = await store.users.find(user.uid)
    await mailSecurityNotice(row!, { kind: 'passwordChanged' }, services)
  })
  return {}
})
