import { handle } from '../../handle.ts'

export const confirmPasswordReset = handle(
  'confirmPasswordReset',
  async ({ input: { oobCode, newPassword }, visit }, { attempts, identity }) => {
    await attempts.take('codesByAddress', visit.address)
    await identity.confirmPasswordReset(oobCode, newPassword)
    return {}
  },
)
