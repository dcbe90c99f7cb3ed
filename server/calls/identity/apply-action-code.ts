import { handle } from '../../handle.ts'

export const applyActionCode = handle('applyActionCode', async ({ input: { oobCode }, visit }, { attempts, identity }) => {
  await attempts.take('codesByAddress', visit.address)
  await identity.applyActionCode(oobCode)
  return {}
})
