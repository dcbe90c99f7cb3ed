import { requireRecentSignIn } from '../../account-security.ts'
import { mailSecurityNotice } from '../../action-codes.ts'
import { person, record } from '../../activity.ts'
import { handle } from '../../handle.ts'
import { rowOf } from '../../sessions.ts'

export const updatePassword = handle('updatePassword', async ({ input: { newPassword }, user }, services) => {
  requireRecentSignIn(user, services)
  await services.transaction(async (services) => {
    const { store, identity, now } = services
    await identity.updateUser(user.uid, { password: newPassword })
    await store.sessions.endAllOf(user.uid, { except: user.session.id })
    await store.actionCodes.endAllOf(user.uid, ['resetPassword'], now())
    await record('passwordChanged', { by: person(user) }, services)
    await mailSecurityNotice(await rowOf(user, services), { kind: 'passwordChanged' }, services)
  })
  return {}
})
