import { mailVerification } from '../../action-codes.ts'
import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'

export const sendVerificationEmail = handle('sendVerificationEmail', async ({ user }, services) => {
  await services.attempts.take('verificationByAccount', user.uid)
  if (user.emailVerified) throw new Refusal('alreadyVerified')
  const row = await services.store.users.find(user.uid)
  await mailVerification(row!, services)
  return {}
})
