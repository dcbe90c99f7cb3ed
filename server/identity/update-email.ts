import { requireRecentSignIn } from './account-security.ts'
import { mailEmailChange, mailSecurityNotice } from './action-codes.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import { holdSession } from './sessions.ts'

export const updateEmail = handle(
  'updateEmail',
  async ({ input: { newEmail }, user }, services) => {
    if (!user.emailVerified) throw new Refusal('auth/operation-not-allowed')
    requireRecentSignIn(user, services)
    await services.attempts.take('emailChangeByAccount', user.uid)
    if (await services.store.users.findByEmail(newEmail))
      throw new Refusal('auth/email-already-in-use')
    await services.transaction(async (services) => {
      const row = await holdSession(user, services)
      await mailEmailChange(row, newEmail, user.session.id, services)
      await mailSecurityNotice(row, { kind: 'emailChangeRequested', newEmail }, services)
    })
    return {}
  },
)
