import { mailVerification } from './action-codes.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import { rowOf } from './sessions.ts'

export const sendVerificationEmail = handle('sendVerificationEmail', async ({ user }, services) => {
  await services.attempts.take('verificationByAccount', user.uid)
  if (user.emailVerified) throw new Refusal('alreadyVerified')
  await mailVerification(await rowOf(user, services), services)
  return {}
})
