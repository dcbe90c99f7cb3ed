import { handle } from '../../handle.ts'

export const sendVerificationEmail = handle('sendVerificationEmail', async ({ user }, { attempts, identity }) => {
  await attempts.take('verificationByAccount', user.uid)
  await identity.sendVerificationEmail(user)
  return {}
})
