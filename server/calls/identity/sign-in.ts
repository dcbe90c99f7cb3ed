import { handle } from '../../handle.ts'
import { startSession } from '../../sessions.ts'

export const signIn = handle('signIn', async ({ input: { email, password }, visit }, services) => {
  const { attempts, identity } = services
  const user = await attempts.countFailed('signInByAddress', visit.address, async () => {
    await attempts.take('signInByAccount', email)
    return identity.signInWithPassword(email, password, visit.address)
  })
  await attempts.forget('signInByAccount', email)
  return startSession(user, visit, services)
})
