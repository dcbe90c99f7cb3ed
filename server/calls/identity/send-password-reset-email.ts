import { handle } from '../../handle.ts'

export const sendPasswordResetEmail = handle('sendPasswordResetEmail', async ({ input: { email }, visit }, { attempts, transaction }) => {
  await attempts.take('resetByAddress', visit.address)
  await attempts.take('resetByAccount', email)
  await transaction(({ identity }) => identity.sendPasswordResetEmail(email))
  return {}
})
