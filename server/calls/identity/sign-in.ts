import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'
import { startSession } from '../../sessions.ts'

export const signIn = handle('signIn', async ({ input: { email, password }, visit }, services) => {
  const { attempts, identity } = services
  await attempts.check('signInByAddress', visit.address)
  await attempts.check('signInByAccount', email)
  try {
    const user = await identity.signInWithPassword(email, password)
    await attempts.forget('signInByAccount', email)
    return await startSession(user, visit, services)
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'auth/invalid-credential') {
      await attempts.take('signInByAddress', visit.address)
      await attempts.take('signInByAccount', email)
    }
    throw error
  }
})
