import { handle } from '../../handle.ts'
import { startSession } from '../../sessions.ts'

export const signUp = handle('signUp', async ({ input, visit }, services) => {
  const { fullName, email, password, language } = input
  await services.attempts.take('signUpByAddress', visit.address)
  const user = await services.identity.signUp({ email, password, displayName: fullName, language: language ?? null })
  return startSession(user, visit, services)
})
