import { consumeCode, findCode } from '../../action-codes.ts'
import { person, record } from '../../activity.ts'
import { forgetGuesses } from '../../guessing.ts'
import { handle } from '../../handle.ts'

export const confirmPasswordReset = handle('confirmPasswordReset', async ({ input: { oobCode, newPassword }, visit }, services) => {
  const find = () => findCode(oobCode, services, 'resetPassword')
  const { code, user } = await services.attempts.countFailed('codesByNetwork', visit.network, find)
  await services.transaction(async (services) => {
    const { store, identity, now } = services
    await consumeCode(oobCode, services)
    // The link went to this address, so it is theirs.
    const verified = code.email === user.email
    if (verified) await store.users.verifyEmail(user.id, now())
    await identity.updateUser(user.id, { password: newPassword, ...(verified && { emailVerified: true }) })
    await store.sessions.endAllOf(user.id)
    await record('passwordChanged', { by: person(user) }, services)
  })
  await forgetGuesses(user.email, visit, services)
  return {}
})
