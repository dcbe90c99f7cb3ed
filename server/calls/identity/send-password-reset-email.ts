import { mailPasswordReset } from '../../action-codes.ts'
import { handle } from '../../handle.ts'

export const sendPasswordResetEmail = handle('sendPasswordResetEmail', async ({ input: { email }, visit }, { attempts, transaction }) => {
  await attempts.take('resetByAddress', visit.address)
  await attempts.take('resetByAccount', email)
  await transaction(async (services) => {
    const user = await services.store.users.findByEmail(email)
    // Of somebody who goes at the same moment there is nothing to reset.
    if (user && (await services.store.users.hold(user.id))) await mailPasswordReset(user, services)
  })
  return {}
})
