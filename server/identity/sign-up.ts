import { mailVerification, refuseReserved } from './action-codes.ts'
import { introduceDevice } from './devices.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import { startSession } from './sessions.ts'
import { newId } from '../store/ids.ts'

export const signUp = handle('signUp', async ({ input, visit }, services) => {
  const { fullName: displayName, email, language = null } = input
  await services.attempts.take('signUpByNetwork', visit.network)
  const password = await services.identity.preparePassword(input.password, {
    email,
    caller: visit.network,
  })
  const user = await services.transaction(async ({ store, identity, jobs, now }) => {
    const user = await store.users.add({
      id: newId(),
      email,
      emailVerified: false,
      displayName,
      language,
      now: now(),
    })
    if (!user) throw new Refusal('auth/email-already-in-use')
    await refuseReserved(email, 'auth/email-already-in-use', { store, now })
    await identity.createUser({ uid: user.id, email, emailVerified: false, displayName, password })
    await mailVerification(user, { store, jobs, now })
    return user
  })
  introduceDevice(user, visit, services)
  return startSession(user, visit, services)
})
