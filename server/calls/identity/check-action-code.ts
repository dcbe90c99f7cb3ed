import { handle } from '../../handle.ts'

export const checkActionCode = handle('checkActionCode', async ({ input: { oobCode }, visit }, { attempts, identity }) => {
  await attempts.take('codesByAddress', visit.address)
  return identity.checkActionCode(oobCode)
})
