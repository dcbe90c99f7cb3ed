import { handle } from '../../handle.ts'
import { startSession } from '../../sessions.ts'

export const signIn = handle('signIn', async ({ input: { email, password }, visit }, services) => {
  const { attempts, identity } = services
  // Counted before the password is looked at: many tries at once are many tries.
  await attempts.take('signInByAddress', visit.address)
  await attempts.take('signInByAccount', email)
  const user = await identity.signInWithPassword(email, password)
  await attempts.giveBack('signInByAddress', visit.address)
  await attempts.forget('signInByAccount', email)
  return startSession(user, visit, services)
})
