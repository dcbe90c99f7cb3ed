import { endFormerAccess, unlinkAll, unlinkUnverified } from './account-security.ts'
import { consumeCode, findCode, mailSecurityNotice } from './action-codes.ts'
import { person, record } from '../activity/activity.ts'
import { rememberDevice } from './devices.ts'
import { forgetGuesses } from './guessing.ts'
import { handle } from '../core/handle.ts'

export const confirmPasswordReset = handle(
  'confirmPasswordReset',
  async ({ input, visit }, services) => {
    const { oobCode, newPassword, unlinkProviders } = input
    const find = () => findCode(oobCode, services, 'resetPassword')
    const { code, user: holder } = await services.attempts.countFailed(
      'codesByNetwork',
      visit.network,
      find,
    )
    const password = await services.identity.preparePassword(newPassword, {
      email: holder.email,
      caller: visit.network,
    })
    const user = await services.transaction(async (services) => {
      const { store, identity, now } = services
      await store.users.lock(code.userId)
      await consumeCode(oobCode, code, services)
      const user = await endFormerAccess(code.userId, services)
      // The link went to this address, so it is theirs.
      const verified = code.email === user.email
      if (verified) await store.users.verifyEmail(user.id, now())
      await identity.updateUser(user.id, { password, ...(verified && { emailVerified: true }) })
      await (unlinkProviders ? unlinkAll(user, services) : unlinkUnverified(user, services))
      await record('passwordChanged', { by: person(user) }, services)
      await mailSecurityNotice(user, { kind: 'passwordChanged' }, services)
      return user
    })
    rememberDevice(user, visit, services)
    await forgetGuesses(user.email, visit, services)
    return {}
  },
)
