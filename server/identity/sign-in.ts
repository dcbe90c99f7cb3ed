import { guardGuess } from './guessing.ts'
import { handle } from '../core/handle.ts'
import { startSession } from './sessions.ts'

export const signIn = handle('signIn', async ({ input: { email, password }, visit }, services) => {
  const judge = () => services.identity.signInWithPassword(email, password, visit.network)
  const user = await guardGuess({ email, visit, judge }, services)
  return startSession(user, visit, services)
})
